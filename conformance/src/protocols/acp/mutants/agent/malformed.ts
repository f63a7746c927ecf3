import { isObject } from "@editwire/core";
import { mutant, type Mutant } from "../../../../core/mutant.js";
import { rightAgent } from "../../reference/agent-behavior.js";
import { silencedAfter } from "./silenced.js";
import { patch } from "./patch.js";

const unknown = (code: number) => ({ code, message: "unknown method" });

const withoutEnvironment = (servers: unknown): unknown =>
  Array.isArray(servers) ? servers.map((one: unknown) => (isObject(one) ? { ...one, env: [] } : one)) : servers;

/** Agents that get messages wrong which are wrong themselves. */
export const malformedMutants: readonly Mutant[] = [
  mutant("acp.agent/new-session-unchecked", {
    violates: [
      "ACP-RPC-013",
      "ACP-RPC-014",
      "ACP-RPC-023",
      "ACP-RPC-024",
      "ACP-SESSION-003",
      "ACP-SESSION-004",
      "ACP-SESSION-007",
      "ACP-MCP-001",
    ],
    patch: patch({ cwdProblem: () => undefined, mcpServersProblem: () => undefined }),
  }),
  mutant("acp.agent/mcp-servers-unchecked", {
    violates: ["ACP-RPC-023", "ACP-RPC-024"],
    cases: ["acp.agent.malformed.session-*"],
    patch: patch({
      mcpServersProblem: (servers, method) =>
        Array.isArray(servers) && servers.length > 0 ? undefined : rightAgent.mcpServersProblem(servers, method),
    }),
  }),
  mutant("acp.agent/mcp-servers-half-checked", {
    violates: ["ACP-RPC-023"],
    cases: ["acp.agent.malformed.session-new.*"],
    patch: patch({
      mcpServersProblem: (servers, method) => rightAgent.mcpServersProblem(withoutEnvironment(servers), method),
    }),
  }),
  mutant("acp.agent/blocks-half-checked", {
    violates: ["ACP-RPC-023"],
    // It sends the blocks back as they came.
    collateral: ["ACP-SCHEMA-session/update:params"],
    cases: ["acp.agent.malformed.session-prompt.*"],
    patch: patch({
      promptProblem: ({ prompt, ...params }) =>
        rightAgent.promptProblem({
          ...params,
          prompt: Array.isArray(prompt) && prompt.every((block) => isObject(block)) ? [] : prompt,
        }),
    }),
  }),
  mutant("acp.agent/prompt-of-any-type", {
    violates: ["ACP-RPC-013", "ACP-RPC-014", "ACP-RPC-023", "ACP-TURN-005"],
    // It sends the blocks back as they came.
    collateral: ["ACP-SCHEMA-session/update:params"],
    patch: patch({ promptProblem: () => undefined }),
  }),
  mutant("acp.agent/own-code-for-params", {
    violates: ["ACP-RPC-014"],
    cases: ["acp.agent.malformed.session-set-mode.*"],
    patch: patch({
      setModeProblem: (params) => rightAgent.setModeProblem(params) && { code: -32000, message: "modeId is required" },
    }),
  }),
  mutant("acp.agent/falls-silent-on-wrong-params", {
    violates: ["ACP-RPC-013"],
    cases: ["acp.agent.malformed.session-set-mode.modeId-number"],
    patch: silencedAfter((provoke) => ({
      setModeProblem(params) {
        const problem = rightAgent.setModeProblem(params);
        if (problem !== undefined) provoke(1);
        return problem;
      },
    })),
  }),
  mutant("acp.agent/unknown-method-succeeds", {
    violates: ["ACP-RPC-006"],
    collateral: ["ACP-SCHEMA-session/request_permission:result"],
    cases: ["acp.agent.unknown-method.*", "acp.agent.requested.session-cancel"],
    patch: patch({ unknownRequest: () => undefined }),
  }),
  mutant("acp.agent/unknown-method-invalid-request", {
    violates: ["ACP-RPC-006"],
    cases: ["acp.agent.unknown-method.*"],
    patch: patch({ unknownRequest: () => unknown(-32600) }),
  }),
  mutant("acp.agent/method-from-prototype", {
    violates: ["ACP-RPC-006"],
    cases: ["acp.agent.unknown-method.*"],
    patch: patch({ unknownRequest: (method) => (method in {} ? undefined : unknown(-32601)) }),
  }),
  mutant("acp.agent/answers-notifications", {
    violates: ["ACP-RPC-007"],
    cases: ["acp.agent.notified.*"],
    patch: patch({ unknownNotification: () => [{ jsonrpc: "2.0", id: null, error: unknown(-32601) }] }),
  }),
  mutant("acp.agent/falls-silent-on-notifications", {
    violates: ["ACP-ROBUST-001"],
    // What is huge or deep are such notifications.
    collateral: ["ACP-ROBUST-002", "ACP-ROBUST-003"],
    cases: ["acp.agent.notified.*"],
    patch: silencedAfter((provoke) => ({
      unknownNotification() {
        provoke(0);
        return [];
      },
    })),
  }),
];
