import type { Case } from "../../../../core/run/case.js";
import { agentResult } from "../../as-agent.js";
import { defineCases } from "../../client-role.js";

/** Cases about clients that only the official dialect allows. */
export const v1Cases: readonly Case[] = defineCases({
  "session.cannot-list": {
    title: "the agent does not declare that it can list sessions",
    emits: ["ACP-GATE-001"],
    isolation: "connection",
    async run(t) {
      await t.initialize({
        ...agentResult,
        agentCapabilities: { ...agentResult.agentCapabilities, sessionCapabilities: {} },
      });
      await t.session();
      await t.require("ACP-GATE-001", t.refrains("session/list", {}, "session/list"));
    },
  },
});
