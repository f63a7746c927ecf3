import { table } from "./table.js";
import { isObject } from "@editwire/core";
import type { Call } from "../../core/call.js";
import { fits } from "../../core/judge.js";
import type { Json } from "../../packs/facts.js";
import type { RpcFacts } from "../../packs/rpc-facts.js";
import type { TurnFacts } from "../../packs/turns.js";
import { accept, acceptV1 } from "./accept.js";
import { type AgentContext, cwd, type TestSession } from "./agent-role.js";
import { example, examples, sampleParams } from "./samples.js";

/** Makes params about a session that exists, in a directory that exists. */
async function adapt(t: AgentContext, params: Readonly<Json>): Promise<Json> {
  return {
    ...params,
    ...("sessionId" in params && { sessionId: (await t.session()).id }),
    ...("cwd" in params && { cwd }),
  };
}

/** The official schema reads null in place of a list as an empty one. */
const isNullList = (wrong: string): boolean => /(^|-)(mcpServers|args|env)-null$/.test(wrong);

/** The facts about agents of ACP for the shared packs. */
export const agentFacts: RpcFacts<AgentContext> = {
  prefix: "acp.agent",
  role: "agent",
  peer: "client",
  table,
  requirements: {
    answered: "ACP-RPC-013",
    refused: "ACP-RPC-013",
    inside: "ACP-RPC-023",
    coded: "ACP-RPC-014",
    unknownRequest: "ACP-RPC-006",
    silent: "ACP-RPC-007",
    once: "ACP-RPC-004",
    lives: "ACP-ROBUST-001",
    anyId: "ACP-RPC-022",
  },
  first: ["initialize"],
  ends: [],
  simple: "session/new",
  turns: ["session/prompt"],
  // The specification says that authenticate is accepted and does nothing.
  indifferent: ["authenticate"],
  // The version is a requirement of its own, with a level of its own: no sentence refuses one of another type.
  exception(method, wrong) {
    if (isNullList(wrong)) return "ACP-RPC-024";
    const isVersion = method === "initialize" && /^(params-(absent|null)|protocolVersion-\w+)$/.test(wrong);
    return isVersion ? "ACP-INIT-002" : undefined;
  },
  routed: (transport, method) => transport === "streamable" && method.startsWith("session/"),
  uncoded: (_method, wrong) => isNullList(wrong),
  capabilities: async (t) => (await t.initialized())["agentCapabilities"],
  examples: (method) => examples(method, "params"),
  // What one of the dialects reads is right.
  isValid: (method, params) =>
    [accept, acceptV1].some((read) => fits(table, method, "params", read(method, "params", params)) === true),
  adapt,
  params: (t, method) => adapt(t, sampleParams(method, "session")),
  optional(method) {
    const full = example(method, "params");
    return isObject(full) && "cwd" in full && !("cwd" in sampleParams(method, "session")) ? { cwd } : {};
  },
  ready: async (t) => void (await t.initialized()),
  alive: (t) => t.alive(),
};

interface SlowTurn {
  readonly session: TestSession;
  readonly call: Call;
}

/** The facts about the turns of agents of ACP. */
export const agentTurns: TurnFacts<AgentContext, SlowTurn> = {
  prefix: "acp.agent",
  role: "agent",
  slow: "slow",
  requirements: { one: "ACP-CANCEL-010", again: "ACP-CANCEL-011" },
  async begin(t, before) {
    const session = before?.session ?? (await t.session());
    const call = t.prompt(session, t.say("slow"));
    const update = { sessionUpdate: "agent_message_chunk" };
    await t.expect.notify("session/update", { sessionId: session.id, update });
    return { session, call };
  },
  cancel: (t, { session }) => t.send.notify("session/cancel", { sessionId: session.id }),
  ended: (_t, { call }) => call.result({ stopReason: "cancelled" }),
  runs: (t, { call }) => !t.history().some(({ is }) => "id" in is && is.id === call.id && is.kind !== "request"),
};

/** Names the requirement that an agent answers a request which the specification lacks. */
export const answerRequirement = (method: string): string => `ACP-ANSWER-${method}`;
