import { table } from "./table.js";
import { isObject } from "@editwire/core";
import type { Call } from "../../core/talk/call.js";
import { ExpectationError } from "../../core/errors.js";
import { fits } from "../../core/talk/judge.js";
import type { CallFacts } from "../../packs/calls.js";
import type { Json } from "../../packs/facts.js";
import type { NotificationFacts } from "../../packs/notifications.js";
import type { RpcFacts } from "../../packs/rpc-facts.js";
import type { TurnFacts } from "../../packs/turns.js";
import { accept, acceptV1 } from "./accept.js";
import { type AgentContext, cwd, type TestSession, type TestTurn } from "./agent-role.js";
import { permissionResult } from "./answers.js";
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
const isNullList = (wrong: string): boolean => /(^|-)(mcpServers|args|env|prompt)-null$/.test(wrong);

/** The facts about ACP agents for the shared packs. */
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
  // The specification says that authenticate is accepted and does nothing; the official schema requires a methodId.
  indifferent: ["authenticate"],
  // An agent whose sessions have no modes need not have it.
  mayLack: ["session/set_mode"],
  // The version is a requirement of its own, with a level of its own: no sentence refuses one of another type.
  exception(method, wrong) {
    if (isNullList(wrong)) return "ACP-RPC-024";
    if (method === "authenticate") return "ACP-AUTH-007";
    // It has the right type, but is relative.
    if (wrong === "cwd-string") return method === "session/new" ? "ACP-SESSION-003" : "ACP-SESSION-007";
    const isVersion = method === "initialize" && /^(params-(absent|null)|protocolVersion-\w+)$/.test(wrong);
    return isVersion ? "ACP-INIT-002" : undefined;
  },
  routed: (transport, method) => transport === "streamable" && /^(?:initialize$|session\/)/.test(method),
  uncoded: (_method, wrong) => isNullList(wrong),
  capabilities: async (t) => (await t.initialized())["agentCapabilities"],
  examples: (method) => examples(method, "params"),
  // A message is valid when it fits one of the dialects.
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

/** The same, about a session to resume or to delete that has messages: some agents keep no other one. */
export const answerFacts: RpcFacts<AgentContext> = {
  ...agentFacts,
  async params(t, method) {
    const params = await agentFacts.params(t, method);
    if (method === "session/resume" || method === "session/delete")
      await t.send.request("session/prompt", { sessionId: params["sessionId"], prompt: text(t.say("text")) }).result();
    return params;
  },
};
const text = (said: string): readonly Json[] => [{ type: "text", text: said }];

interface SlowTurn {
  readonly session: TestSession;
  readonly call: Call;
}

/** The facts about the turns of ACP agents. */
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

/** Ends a turn as its call ended: done when a tool ran, failed when none did. */
async function ranATool(turn: TestTurn): Promise<void> {
  await turn.response({ deadline: 3_000 });
  const ran = turn.updates().some(({ params: { update } }) => isObject(update) && update["status"] === "completed");
  if (!ran) throw new ExpectationError("mismatch", "the tool did not run");
}

const ask = "session/request_permission";

/** The facts about the requests of ACP agents: what they make of the answers. */
export const agentCalls: CallFacts<AgentContext> = {
  prefix: "acp.agent",
  role: "agent",
  requirements: { survives: "ACP-ROBUST-010", reported: "ACP-PERM-009", matched: "ACP-ROBUST-011" },
  calls: [
    {
      method: ask,
      needs: ["ask-permission"],
      async send(t) {
        const session = await t.session();
        t.answer(ask, () => undefined);
        const turn = t.prompt(session, t.say("ask-permission"));
        const asked = await t.expect.request(ask, { sessionId: session.id });
        const done = ranATool(turn);
        done.catch(() => {});
        return { ask: asked, done, adapt: () => permissionResult(asked.params, "allow_once") };
      },
    },
  ],
  results: () => [{ outcome: { outcome: "selected", optionId: "allow_once" } }],
  isValid: (method, result) => fits(table, method, "result", result) === true,
  works: (t) => t.alive(),
  alive: (t) => t.alive(),
};

/** The facts about notifications to ACP agents: a turn runs meanwhile. */
export const agentNotifications: NotificationFacts<AgentContext> = {
  prefix: "acp.agent",
  role: "agent",
  peer: "client",
  table,
  survives: "ACP-ROBUST-012",
  needs: ["slow"],
  examples: (method) => examples(method, "params"),
  isValid: (method, params) => fits(table, method, "params", params) === true,
  async scene(t) {
    const { session, call } = await agentTurns.begin(t);
    return {
      adapt: (params) => ({ ...params, sessionId: session.id }),
      async finish() {
        t.send.notify("session/cancel", { sessionId: session.id });
        await call.result({ stopReason: "cancelled" });
      },
    };
  },
  alive: (t) => t.alive(),
};

/** Names the requirement that an agent answers a request which the specification lacks. */
export const answerRequirement = (method: string): string => `ACP-ANSWER-${method}`;
