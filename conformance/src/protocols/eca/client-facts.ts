import { isObject, rewrite } from "@editwire/core";
import { ecaProfiles } from "@editwire/eca-schema";
import { fits } from "../../core/talk/judge.js";
import { examplesOf } from "../../generate/fixtures.js";
import { askOf, type CallFacts } from "../../packs/calls.js";
import { methodsOfKind } from "../../packs/facts.js";
import type { NotificationFacts } from "../../packs/notifications.js";
import type { RpcFacts } from "../../packs/rpc-facts.js";
import type { TurnFacts } from "../../packs/turns.js";
import { accept } from "./accept.js";
import type { ClientContext, ClientTurn } from "./client-role.js";
import { encode, sampleParams } from "./samples.js";
import { ecaFixtures } from "./server-facts.js";
import { table } from "./table.js";

const isValid = (method: string, part: "params" | "result", value: unknown): boolean =>
  fits(table, method, part, accept(method, part, value)) === true;

/** The notifications of the specification, and the kinds of content that it names. */
const stated: readonly string[] = ["chat/contentReceived", "tool/serverUpdated", "$/showMessage"];

const alive = (t: ClientContext): Promise<void> => t.alive();

/** The facts about how ECA clients answer, for the shared packs. The specification has no requests for them. */
export const clientAnswers: RpcFacts<ClientContext> = {
  prefix: "eca.client",
  role: "client",
  peer: "server",
  table,
  requirements: {
    answered: "ECA-RPC-021",
    unknownRequest: "ECA-RPC-024",
    silent: "ECA-RPC-022",
    once: "ECA-RPC-004",
    lives: "ECA-RPC-025",
    anyId: "ECA-RPC-026",
  },
  first: [],
  ends: [],
  indifferent: [],
  judges: (method) => stated.includes(method),
  capabilities: (t) => t.initialized(),
  examples: () => [],
  isValid: (method, params) => isValid(method, "params", params),
  adapt: (_t, params) => Promise.resolve({ ...params }),
  params: (_t, method) => Promise.resolve(sampleParams(method)),
  ready: async (t) => void (await t.initialized()),
  alive,
};

/** The facts about notifications to ECA clients, for the shared packs. */
export const clientNews: NotificationFacts<ClientContext> = {
  prefix: "eca.client",
  role: "client",
  peer: "server",
  table,
  survives: "ECA-RPC-025",
  ends: methodsOfKind(table, "server", "notification").filter((method) => !stated.includes(method)),
  examples: (method) =>
    examplesOf(ecaFixtures(), method, "params")
      .map((one) => rewrite(ecaProfiles.spec.encode, method, "params", one))
      .filter((one) => isObject(one))
      .filter((one) => isValid(method, "params", one)),
  isValid: (method, params) => isValid(method, "params", params),
  kindOf: ({ content, type }) => (isObject(content) ? String(content["type"]) : String(type)),
  async scene(t) {
    const turn = await t.prompt(t.chat());
    turn.answer();
    return {
      adapt: (params) => ({ ...params, ...("chatId" in params && { chatId: turn.chatId }) }),
      async finish() {
        turn.end();
        await turn.done;
      },
    };
  },
  alive,
};

/** The end of a turn. */
const endOf = (chatId: string) => ({
  chatId,
  role: "system",
  content: { type: "progress", state: "finished", text: "" },
});

/** A request that an action of the user sends. */
const asked = (method: string, action: string) => ({
  method,
  async send(t: ClientContext) {
    const chat = t.chat();
    const turn = await t.prompt(chat);
    turn.end();
    await turn.done;
    t.answer(method, () => undefined);
    return askOf(t, () => t.act(action, { chat, query: "a" }, { optional: true }), method);
  },
});

/** The facts about the requests of ECA clients, for the shared packs. */
export const clientCalls: CallFacts<ClientContext> = {
  prefix: "eca.client",
  role: "client",
  requirements: { survives: "ECA-RPC-027", reported: "ECA-RPC-028", matched: "ECA-RPC-020" },
  calls: [
    {
      method: "chat/prompt",
      async send(t) {
        const { ask, done, chatId } = await t.prompt(t.chat());
        return {
          ask,
          done,
          adapt: (result) => (isObject(result) ? { ...result, chatId } : result),
          finish(result) {
            // A client that takes another id for the chat's waits for the end of that chat.
            const named = isObject(result) && "chatId" in result ? String(result["chatId"]) : chatId;
            for (const id of new Set([chatId, named]))
              t.send.invalid(t.conversation.envelope.notification("chat/contentReceived", endOf(id)));
          },
        };
      },
    },
    asked("chat/queryContext", "find-contexts"),
    asked("chat/queryCommands", "find-commands"),
    asked("chat/delete", "delete"),
  ],
  results: (method) => examplesOf(ecaFixtures(), method, "result").map((one) => encode(method, "result", one)),
  isValid: (method, result) => isValid(method, "result", result),
  works: (t) => t.works(),
  alive,
};

/** A turn, and the suite's name of its chat. */
interface NamedTurn {
  readonly chat: string;
  readonly turn: ClientTurn;
}

/** The facts about two turns of ECA clients: the suite lets them last, and the client stops them. */
export const clientTurns: TurnFacts<ClientContext, NamedTurn> = {
  prefix: "eca.client",
  role: "client",
  requirements: { one: "ECA-STOP-020", again: "ECA-STOP-020" },
  async begin(t, before) {
    const chat = before?.chat ?? t.chat();
    const turn = await t.prompt(chat);
    turn.answer();
    // A client knows which chat it can stop once it has read the answer.
    await t.alive();
    return { chat, turn };
  },
  async cancel(t, { chat, turn: { chatId } }, again = false) {
    const done = t.act("stop", { chat }, { optional: true });
    // A second stop may have nothing to say.
    if (again) return done.catch(() => {});
    await Promise.all([t.expect.notify("chat/promptStop", { chatId }), done]);
  },
  async ended(_t, { turn }) {
    turn.end();
    await turn.done;
  },
  runs: (t, { turn: { chatId, ask } }) => !t.rest("chat/promptStop", { chatId }).some(({ at }) => at > ask.at),
};
