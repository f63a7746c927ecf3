import { isObject } from "@editwire/core";
import { type Case, defineCase } from "../../../../core/case.js";
import type { ServerContext } from "../../server-role.js";

const header = { role: "server" } as const;
const received = "chat/contentReceived";

/** Prompts as real clients write them. */
const prompts: Readonly<Record<string, (message: string, chatId: string) => Record<string, unknown>>> = {
  emacs: (message) => ({ message, "request-id": 1, chatId: null, model: null, behavior: null, contexts: [] }),
  "no-request-id": (message, chatId) => ({ message, chatId }),
  "number-request-id": (message, chatId) => ({ message, chatId, requestId: 7 }),
  "more-fields": (message, chatId) => ({
    message,
    chatId,
    requestId: "0",
    agent: "code",
    variant: "high",
    trust: false,
  }),
};

const tolerant = Object.entries(prompts).map(([name, params]) =>
  defineCase<ServerContext>(
    {
      ...header,
      id: `eca.server.chat.prompt-${name}`,
      title: `a prompt is taken: ${name}`,
      emits: ["ECA-CHAT-003"],
      needs: ["text"],
    },
    async (t) => {
      await t.initialized();
      const id = t.conversation.freshId();
      const call = t.send.invalid({
        jsonrpc: "2.0",
        id,
        method: "chat/prompt",
        params: params(t.say("text"), t.chat()),
      });
      const { chatId } = await t.require("ECA-CHAT-003", call.result());
      await t.require(
        "ECA-CHAT-003",
        t.expect.notify(received, { chatId, content: { type: "progress", state: "finished" } }),
      );
    },
  ),
);

const strange: readonly Record<string, unknown>[] = [
  { type: "cursor", path: "/tmp/a", position: { start: { line: 1, character: 1 }, end: { line: 1, character: 1 } } },
  { type: "web", url: "http://127.0.0.1:1/" },
  { type: "file", path: "/no/such/file" },
  { type: "hologram" },
];

const contexts = strange.map((context) =>
  defineCase<ServerContext>(
    {
      ...header,
      id: `eca.server.chat.context-${String(context["type"])}`,
      title: `a context that cannot be used does not fail the prompt: ${String(context["type"])}`,
      emits: ["ECA-CHAT-005"],
      needs: ["text"],
    },
    async (t) => {
      await t.initialized();
      const turn = t.prompt(t.chat(), t.say("text"), { contexts: [context] });
      await t.require("ECA-CHAT-005", turn.result());
      await t.require("ECA-CHAT-005", turn.finished());
    },
  ),
);

/** How a turn can end. */
const endings: Readonly<Record<string, readonly string[]>> = { text: ["text"], error: ["error"], tool: ["tool-ok"] };

const finished = Object.entries(endings).map(([name, needs]) =>
  defineCase<ServerContext>(
    {
      ...header,
      id: `eca.server.turn.finished-${name}`,
      title: `the turn ends with finished: ${name}`,
      emits: ["ECA-TURN-005"],
      needs,
      smoke: name === "text",
    },
    async (t) => {
      await t.initialized();
      const turn = t.prompt(t.chat(), t.say(needs[0] ?? "text"));
      await t.require("ECA-TURN-005", turn.finished());
    },
  ),
);

/** Chats and their turns. */
export const chatCases: readonly Case[] = [
  defineCase<ServerContext>(
    {
      ...header,
      id: "eca.server.chat.new",
      title: "a prompt without a chatId makes a chat",
      emits: ["ECA-CHAT-001"],
      needs: ["text"],
      smoke: true,
    },
    async (t) => {
      await t.initialized();
      const text = `new-${t.now()}`;
      const turn = t.prompt(null, t.say("text", { text }));
      const { chatId } = await t.require("ECA-CHAT-001", turn.result());
      const { params } = await t.require(
        "ECA-CHAT-001",
        t.expect.notify(received, { content: { type: "text", text } }),
      );
      t.check("ECA-CHAT-001", params["chatId"] === chatId && typeof chatId === "string", {
        expected: "the chatId of the answer",
        actual: params["chatId"],
      });
      await turn.finished();
    },
  ),
  defineCase<ServerContext>(
    {
      ...header,
      id: "eca.server.chat.own-id",
      title: "a chatId that the client made is used",
      emits: ["ECA-CHAT-002"],
      needs: ["text"],
    },
    async (t) => {
      await t.initialized();
      const chatId = t.chat();
      const turn = t.prompt(chatId, t.say("text"));
      await t.require("ECA-CHAT-002", turn.result({ chatId }));
      await t.require("ECA-CHAT-002", turn.finished());
    },
  ),
  defineCase<ServerContext>(
    {
      ...header,
      id: "eca.server.chat.model",
      title: "the answer names the model that was asked for",
      emits: ["ECA-CHAT-006"],
      needs: ["text"],
    },
    async (t) => {
      const { models } = await t.initialized();
      const known = Array.isArray(models) ? (models as unknown[]) : [];
      t.needs(known.length > 1, "the server has no two models");
      for (const model of [known.at(0), known.at(-1)]) {
        const turn = t.prompt(t.chat(), t.say("text"), { model });
        await t.require("ECA-CHAT-006", turn.result({ model }));
        await turn.finished();
      }
    },
  ),
  ...tolerant,
  ...contexts,
  ...finished,
  defineCase<ServerContext>(
    {
      ...header,
      id: "eca.server.turn.echo",
      title: "a turn begins with the user's message",
      emits: ["ECA-TURN-002"],
      needs: ["text"],
    },
    async (t) => {
      await t.initialized();
      const chatId = t.chat();
      const message = t.say("text");
      const turn = t.prompt(chatId, message);
      const first = await t.require("ECA-TURN-002", t.expect.notify(received, { chatId }));
      const { content, role } = first.params;
      const text = isObject(content) ? content["text"] : undefined;
      t.check("ECA-TURN-002", role === "user" && typeof text === "string" && text.startsWith(message), {
        expected: "the message, of the user",
        actual: first.params,
      });
      await turn.finished();
    },
  ),
  defineCase<ServerContext>(
    {
      ...header,
      id: "eca.server.turn.reason",
      title: "what the model thinks is shown in order",
      emits: ["ECA-TURN-006"],
      needs: ["reason"],
    },
    async (t) => {
      await t.initialized();
      const turn = t.prompt(t.chat(), t.say("reason"));
      const types = (await turn.finished()).flatMap(({ type }) => (String(type).startsWith("reason") ? [type] : []));
      const right = types[0] === "reasonStarted" && types.includes("reasonText") && types.at(-1) === "reasonFinished";
      t.check("ECA-TURN-006", right, { expected: "reasonStarted, reasonText, reasonFinished", actual: types });
    },
  ),
  defineCase<ServerContext>(
    {
      ...header,
      id: "eca.server.turn.order",
      title: "the texts of a chat keep their order beside another chat's",
      emits: ["ECA-TURN-007"],
      needs: ["chunks"],
    },
    async (t) => {
      await t.initialized();
      const turns = [
        t.prompt(t.chat(), t.say("chunks", { count: 10 })),
        t.prompt(t.chat(), t.say("chunks", { count: 10 })),
      ];
      for (const turn of turns) {
        const said = (await turn.finished())
          .flatMap(({ type, text }) => (type === "text" && /^\d+ $/.test(String(text)) ? [text] : []))
          .join("");
        t.check("ECA-TURN-007", said === "1 2 3 4 5 6 7 8 9 10 ", { expected: "1 to 10", actual: said });
      }
    },
  ),
  defineCase<ServerContext>(
    {
      ...header,
      isolation: "connection",
      id: "eca.server.turn.responsive",
      title: "requests are answered and other chats go on while a turn runs",
      emits: ["ECA-TURN-008"],
      needs: ["slow", "text"],
    },
    async (t) => {
      await t.initialized();
      const chatId = t.chat();
      const slow = t.prompt(chatId, t.say("slow"));
      await slow.content({ type: "text", text: /working/ });
      await t.require(
        "ECA-TURN-008",
        t.send.request("chat/queryCommands", { query: "" }).result(undefined, { deadline: 2_000 }),
      );
      const other = t.prompt(t.chat(), t.say("text"));
      await t.require("ECA-TURN-008", other.result(undefined, { deadline: 2_000 }));
      await t.require("ECA-TURN-008", other.finished());
      t.send.notify("chat/promptStop", { chatId });
      await t.require("ECA-TURN-008", slow.finished());
    },
  ),
  defineCase<ServerContext>(
    {
      ...header,
      id: "eca.server.query.context",
      title: "an empty query finds every context but those that are given",
      emits: ["ECA-QUERY-001", "ECA-QUERY-002"],
    },
    async (t) => {
      await t.initialized();
      const found = async (params: Record<string, unknown>): Promise<readonly unknown[]> => {
        const { contexts: list } = await t.send.request("chat/queryContext", params).result();
        return Array.isArray(list) ? (list as unknown[]) : [];
      };
      const all = await t.require("ECA-QUERY-001", found({ query: "", contexts: [] }));
      const none = await t.require("ECA-QUERY-001", found({ query: "no such thing anywhere 4711", contexts: [] }));
      t.check("ECA-QUERY-001", all.length > none.length || all.length === 0, {
        expected: "a query that filters",
        actual: { all: all.length, none: none.length },
      });
      const [first] = all;
      t.needs(first !== undefined, "the server has no contexts");
      const rest = await found({ query: "", contexts: [first] });
      const again = rest.some((context) => JSON.stringify(context) === JSON.stringify(first));
      t.check("ECA-QUERY-002", !again, { expected: "no context that is given already", actual: rest });
    },
  ),
  defineCase<ServerContext>(
    {
      ...header,
      id: "eca.server.query.commands",
      title: "a query filters the commands, and a blank one does not",
      emits: ["ECA-QUERY-003"],
    },
    async (t) => {
      await t.initialized();
      const names = async (query: string): Promise<readonly unknown[]> => {
        const { commands } = await t.send.request("chat/queryCommands", { query }).result();
        return Array.isArray(commands)
          ? commands.map((command: unknown) => (isObject(command) ? command["name"] : undefined))
          : [];
      };
      const all = await t.require("ECA-QUERY-003", names(""));
      const [first] = all;
      // A server without commands finds none for any letter either.
      const hidden = all.length > 0 ? [] : (await Promise.all([..."aeiou"].map(names))).flat();
      t.check("ECA-QUERY-003", hidden.length === 0, { expected: "every command for a blank query", actual: hidden });
      t.needs(typeof first === "string", "the server has no commands");
      t.check("ECA-QUERY-003", (await names(String(first))).includes(first), {
        expected: "the command of that name",
        actual: await names(String(first)),
      });
      t.check("ECA-QUERY-003", (await names("no such thing anywhere 4711")).length === 0, {
        expected: "no command",
        actual: all,
      });
    },
  ),
  defineCase<ServerContext>(
    {
      ...header,
      id: "eca.server.delete",
      title: "a chat is deleted, known or not, and its id can be used again",
      emits: ["ECA-DELETE-001", "ECA-DELETE-002"],
      needs: ["text"],
    },
    async (t) => {
      await t.initialized();
      const chatId = t.chat();
      await t.prompt(chatId, t.say("text")).finished();
      for (const params of [{ chatId }, { chatId: "no-such-chat" }, {}]) {
        const result = await t.require("ECA-DELETE-001", t.send.request("chat/delete", params).result());
        // The interface is empty; an object with more fields is one, too.
        t.check("ECA-DELETE-001", isObject(result), { expected: "an object", actual: result });
      }
      await t.require("ECA-DELETE-002", t.prompt(chatId, t.say("text")).finished());
    },
  ),
];
