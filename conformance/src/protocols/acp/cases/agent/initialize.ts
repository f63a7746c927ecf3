import { defineCase } from "../../../../core/case.js";
import type { AgentContext } from "../../agent-role.js";

/** Section 5.1: the first request. */
export const initializeCases = [
  defineCase<AgentContext>(
    {
      id: "acp.agent.initialize.version",
      role: "agent",
      title: "initialize is answered with protocol version 1",
      emits: ["ACP-INIT-001"],
      isolation: "connection",
      smoke: true,
    },
    async (t) => {
      const result = await t.initialized();
      t.check("ACP-INIT-001", result["protocolVersion"] === 1, { expected: "protocolVersion 1", actual: result["protocolVersion"] });
    },
  ),
];
