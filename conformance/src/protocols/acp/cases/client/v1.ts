import { type Case, defineCase } from "../../../../core/case.js";
import { agentResult } from "../../as-agent.js";
import type { ClientContext } from "../../client-role.js";

/** What only the official dialect says of clients. */
export const v1Cases: readonly Case[] = [
  defineCase<ClientContext>(
    {
      id: "acp.client.session.cannot-list",
      role: "client",
      title: "the agent does not say that it can list sessions",
      emits: ["ACP-GATE-001"],
      isolation: "connection",
    },
    async (t) => {
      await t.initialize({
        ...agentResult,
        agentCapabilities: { ...agentResult.agentCapabilities, sessionCapabilities: {} },
      });
      await t.session();
      await t.require("ACP-GATE-001", t.refrains("session/list", {}, "session/list"));
    },
  ),
];
