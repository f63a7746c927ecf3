import { isObject } from "@editwire/core";
import { defineCase } from "../../../../core/case.js";
import { type AgentContext, cwd } from "../../agent-role.js";

/** session/list, in the official dialect. */
export const listCases = [
  defineCase<AgentContext>(
    {
      id: "acp.agent.session.list",
      role: "agent",
      title: "session/list is answered, with a filter and without",
      emits: ["ACP-LIST-001"],
    },
    async (t) => {
      const { agentCapabilities } = await t.initialized();
      const sessions = isObject(agentCapabilities) ? agentCapabilities["sessionCapabilities"] : undefined;
      t.needs(
        isObject(sessions) && isObject(sessions["list"]),
        "the agent does not list sessions (sessionCapabilities.list)",
      );
      await t.session();
      for (const params of [{}, { cwd }])
        await t.require("ACP-LIST-001", t.send.request("session/list", params).result());
    },
  ),
];
