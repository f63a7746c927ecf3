import type { Mutant } from "../../../../core/mutant.js";
import { rightAgent } from "../../reference/agent-behavior.js";
import { silencedAfter } from "./silenced.js";
import { broken, each } from "./patch.js";

const unknown = (code: number) => ({ code, message: "unknown method" });

const end = (which: string, items: readonly unknown[]): readonly unknown[] =>
  which === "first" ? items.slice(0, 1) : items.slice(-1);

/** Agents that get messages wrong which are wrong themselves. */
export const malformedMutants: readonly Mutant[] = broken({
  "new-session-unchecked": [
    ["RPC-013", "RPC-014", "RPC-023", "RPC-024", "SESSION-003", "SESSION-004", "SESSION-007", "MCP-001"],
    { cwdProblem: () => undefined, mcpServersProblem: () => undefined },
  ],
  "mcp-servers-unchecked": [
    ["RPC-023", "RPC-024"],
    {
      mcpServersProblem: (servers, method) =>
        Array.isArray(servers) && servers.length > 0 ? undefined : rightAgent.mcpServersProblem(servers, method),
    },
    { cases: ["malformed.session-*"] },
  ],
  ...each(["first", "last"], (one) => ({
    // It sends the blocks back as they came.
    [`${one}-block-checked`]: [
      "RPC-023",
      {
        promptProblem: ({ prompt, ...params }) =>
          rightAgent.promptProblem({ ...params, prompt: Array.isArray(prompt) ? end(one, prompt) : prompt }),
      },
      { collateral: ["SCHEMA-session/update:params"], cases: ["malformed.session-prompt.*"] },
    ],
    [`${one}-mcp-server-checked`]: [
      "RPC-023",
      {
        mcpServersProblem: (servers, method) =>
          rightAgent.mcpServersProblem(Array.isArray(servers) ? end(one, servers) : servers, method),
      },
      { collateral: ["RPC-024"], cases: ["malformed.session-*"] },
    ],
  })),
  // It sends the blocks back as they came.
  "prompt-of-any-type": [
    ["RPC-013", "RPC-014", "RPC-023", "TURN-005"],
    { promptProblem: () => undefined },
    { collateral: ["SCHEMA-session/update:params"] },
  ],
  "own-code-for-params": [
    "RPC-014",
    {
      setModeProblem: (params) => rightAgent.setModeProblem(params) && { code: -32000, message: "modeId is required" },
    },
    { cases: ["malformed.session-set-mode.*"] },
  ],
  "falls-silent-on-wrong-params": [
    "RPC-013",
    silencedAfter((provoke) => ({
      setModeProblem(params) {
        const problem = rightAgent.setModeProblem(params);
        if (problem !== undefined) provoke(1);
        return problem;
      },
    })),
    { cases: ["malformed.session-set-mode.modeId-number"] },
  ],
  "unknown-method-succeeds": [
    "RPC-006",
    { unknownRequest: () => undefined },
    {
      collateral: ["SCHEMA-session/request_permission:result"],
    },
  ],
  "unknown-method-invalid-request": ["RPC-006", { unknownRequest: () => unknown(-32600) }],
  "answers-notifications": [
    "RPC-007",
    { unknownNotification: () => [{ jsonrpc: "2.0", id: null, error: unknown(-32601) }] },
  ],
  // The huge and deep messages of the cases are such notifications.
  "falls-silent-on-notifications": [
    "ROBUST-001",
    silencedAfter((provoke) => ({
      unknownNotification() {
        provoke(0);
        return [];
      },
    })),
    { collateral: ["ROBUST-002", "ROBUST-003"], cases: ["notified.*"] },
  ],
});
