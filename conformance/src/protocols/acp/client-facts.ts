import { table } from "./table.js";
import { isObject, methodOf } from "@editwire/core";
import { fits } from "../../core/talk/judge.js";
import { askOf, type CallFacts } from "../../packs/calls.js";
import type { Json } from "../../packs/facts.js";
import type { NotificationFacts } from "../../packs/notifications.js";
import type { RpcFacts } from "../../packs/rpc-facts.js";
import type { SenderFacts } from "../../packs/sends.js";
import type { TurnFacts } from "../../packs/turns.js";
import { acceptV1 } from "./accept.js";
import { agentResultIn, modes } from "./as-agent.js";
import { type ClientContext, type ClientTurn, freshSession } from "./client-role.js";
import { example, examples, sampleParams } from "./samples.js";
import { traitsOf } from "./traits.js";

/** Names the requirement that says how one part of a method looks. */
export const schemaRequirement = (method: string, part: "params" | "result"): string => `ACP-SCHEMA-${method}:${part}`;

const isValid = (method: string, part: "params" | "result", value: unknown): boolean =>
  fits(table, method, part, acceptV1(method, part, value)) === true;

/** The methods of the specification; the others depend on what a client declares. */
const isStated = (method: string): boolean => methodOf(table, method)?.spec !== undefined;

/** The facts about what ACP clients send, for the shared packs. */
export const clientFacts: SenderFacts<ClientContext> = {
  prefix: "acp.client",
  role: "client",
  table,
  requirement: schemaRequirement,
  example: (method) => example(method, "params"),
  isValid: (method, params) => isValid(method, "params", params),
  async send(t, method) {
    await t.initialized();
    const full = example(method, "params");
    const params = isObject(full) ? full : {};
    const session = "sessionId" in params ? { sessionId: (await t.session()).id } : {};
    const { done } = await t.tell(method, { ...params, ...session }, method);
    await done;
  },
};

const alive = (t: ClientContext): Promise<void> => t.alive();

/** Makes params about a session that exists. */
async function adapt(t: ClientContext, params: Readonly<Json>): Promise<Json> {
  return { ...params, ...("sessionId" in params && { sessionId: (await t.session()).id }) };
}

/** The facts about how ACP clients answer, for the shared packs. */
export const clientAnswers: RpcFacts<ClientContext> = {
  prefix: "acp.client",
  role: "client",
  peer: "agent",
  table,
  requirements: {
    answered: "ACP-RPC-019",
    refused: "ACP-RPC-030",
    inside: "ACP-RPC-030",
    unknownRequest: "ACP-RPC-011",
    silent: "ACP-RPC-012",
    once: "ACP-RPC-004",
    lives: "ACP-ROBUST-007",
    anyId: "ACP-RPC-022",
  },
  first: [],
  ends: [],
  simple: "session/request_permission",
  indifferent: [],
  judges: isStated,
  isRefusal: (result) =>
    isObject(result) && isObject(result["outcome"]) && result["outcome"]["outcome"] === "cancelled",
  capabilities: async (t) => (await t.initialized())["clientCapabilities"],
  examples: (method) => examples(method, "params"),
  isValid: (method, params) => isValid(method, "params", params),
  adapt,
  params: (t, method) => adapt(t, sampleParams(method, "session")),
  async ready(t) {
    await t.initialized();
    if (t.steered) await t.permission("allow");
  },
  alive,
};

/** The facts about notifications to ACP clients, for the shared packs. */
export const clientUpdates: NotificationFacts<ClientContext> = {
  prefix: "acp.client",
  role: "client",
  peer: "agent",
  table,
  survives: "ACP-UPDATE-018",
  examples: (method) => (isStated(method) ? examples(method, "params") : []),
  isValid: (method, params) => isValid(method, "params", params),
  kindOf: ({ update }) => (isObject(update) ? String(update["sessionUpdate"]) : undefined),
  async scene(t) {
    const turn = await t.prompt(await t.session());
    return {
      adapt: (params) => ({ ...params, sessionId: turn.sessionId }),
      async finish() {
        turn.end();
        await turn.done;
      },
    };
  },
  alive,
};

/** The facts about the requests of ACP clients, for the shared packs. */
export const clientCalls: CallFacts<ClientContext> = {
  prefix: "acp.client",
  role: "client",
  requirements: { survives: "ACP-ROBUST-008", reported: "ACP-ROBUST-009", matched: "ACP-RPC-017" },
  calls: [
    {
      method: "session/new",
      async send(t) {
        await t.session();
        t.answer("session/new", () => undefined);
        const sent = await askOf(t, () => t.act("new-session", { cwd: "/tmp" }), "session/new");
        // A client may refuse a second session with the id of one that is open.
        const sessionId = freshSession(t.conversation);
        return { ...sent, adapt: (result) => ({ ...(result as Json), sessionId }) };
      },
    },
    {
      method: "session/prompt",
      async send(t) {
        t.steer("prompt again");
        return t.prompt(await t.session());
      },
    },
    ...[
      { method: "session/load", action: "load-session", args: { cwd: "/tmp" } },
      { method: "session/set_mode", action: "set-mode", args: { modeId: modes.availableModes[1]?.id } },
    ].map(({ method, action, args }) => ({
      method,
      async send(t: ClientContext) {
        const { id: sessionId } = await t.session();
        t.answer(method, () => undefined);
        return askOf(t, () => t.act(action, { sessionId, ...args }, { optional: true }), method);
      },
    })),
    {
      method: "authenticate",
      isolation: "connection",
      async send(t) {
        // A client may refuse to sign in with a method that the agent does not offer.
        const authMethods = traitsOf(t).hasLogin ? [{ id: "none", name: "Nothing to do" }] : [];
        if (t.conversation.handshake === undefined) await t.initialize({ ...agentResultIn(t), authMethods });
        t.answer("authenticate", () => undefined);
        return askOf(t, () => t.act("authenticate", { methodId: "none" }, { optional: true }), "authenticate");
      },
    },
  ],
  results: (method) => examples(method, "result"),
  isValid: (method, result) => isValid(method, "result", result),
  works: async (t) => t.works(await t.session()),
  alive,
};

/** The facts about two turns of ACP clients: the suite lets them last, and the client cancels. */
export const clientTurns: TurnFacts<ClientContext, ClientTurn> = {
  prefix: "acp.client",
  role: "client",
  requirements: { one: "ACP-CANCEL-020", again: "ACP-CANCEL-020" },
  async begin(t, before) {
    t.steer("run two turns");
    const session = before === undefined ? await t.session() : { id: before.sessionId };
    return t.prompt(session);
  },
  async cancel(t, { sessionId }, again = false) {
    const done = t.act("cancel", { sessionId }, { optional: true });
    // A second cancel may have nothing to say.
    if (again) return done.catch(() => {});
    await Promise.all([t.expect.message({ method: "session/cancel", params: { sessionId } }), done]);
  },
  async ended(_t, turn) {
    turn.end("cancelled");
    await turn.done;
  },
  runs: (t, { sessionId, ask }) => !t.rest("session/cancel", { sessionId }).some(({ at }) => at > ask.at),
};
