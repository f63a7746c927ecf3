import { isObject } from "@editwire/core";
import type { Case } from "../../../../core/run/case.js";
import { defineCases, ends, inventId } from "../../server-role.js";

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

const tolerant = Object.entries(prompts).flatMap(([name, params]) =>
  defineCases({
    [`chat.prompt-${name}`]: {
      title: `a prompt is accepted: ${name}`,
      emits: ["ECA-CHAT-003"],
      needs: ["text"],
      async run(t) {
        await t.initialized();
        const id = t.conversation.freshId();
        const call = t.send.invalid({
          jsonrpc: "2.0",
          id,
          method: "chat/prompt",
          params: params(t.say("text"), await t.chat()),
        });
        const { chatId } = await t.require("ECA-CHAT-003", call.result());
        await t.require(
          "ECA-CHAT-003",
          t.expect.notify(received, { chatId, content: { type: "progress", state: "finished" } }),
        );
      },
    },
  }),
);

const strange: readonly Record<string, unknown>[] = [
  { type: "cursor", path: "/tmp/a", position: { start: { line: 1, character: 1 }, end: { line: 1, character: 1 } } },
  { type: "web", url: "http://127.0.0.1:1/" },
  { type: "file", path: "/no/such/file" },
  { type: "hologram" },
];

const contexts = strange.flatMap((context) =>
  defineCases({
    [`chat.context-${String(context["type"])}`]: {
      title: `a context that cannot be used does not fail the prompt: ${String(context["type"])}`,
      emits: ["ECA-CHAT-005"],
      needs: ["text"],
      async run(t) {
        await t.initialized();
        const turn = t.prompt(await t.chat(), t.say("text"), { contexts: [context] });
        await t.require("ECA-CHAT-005", turn.result());
        await t.require("ECA-CHAT-005", turn.finished());
      },
    },
  }),
);

/** Every kind of context of the specification. */
const kinds: readonly Record<string, unknown>[] = [
  { type: "file", path: "/no/such/file" },
  { type: "file", path: "/no/such/file", linesRange: { start: 1, end: 2 } },
  { type: "directory", path: "/no/such" },
  { type: "web", url: "http://127.0.0.1:1/" },
  { type: "repoMap" },
  {
    type: "mcpResource",
    uri: "file://no/such",
    name: "no such",
    description: "A resource",
    mimeType: "text/plain",
    server: "no-such-server",
  },
];

/** How a turn can end. */
const endings: Readonly<Record<string, readonly string[]>> = { text: ["text"], error: ["error"], tool: ["tool-ok"] };

const finished = Object.entries(endings).flatMap(([name, needs]) =>
  defineCases({
    [`turn.finished-${name}`]: {
      title: `the turn ends with finished, and the chat goes on: ${name}`,
      emits: ["ECA-TURN-005", "ECA-CHAT-008"],
      needs: [...new Set([...needs, "text", "recall"])],
      smoke: name === "text",
      async run(t) {
        await t.initialized();
        const chatId = await t.chat();
        const secret = `secret-${t.now()}`;
        await t.require("ECA-TURN-005", t.prompt(chatId, t.say("text", { text: secret })).finished());
        const turn = t.prompt(chatId, t.say(needs[0] ?? "text"));
        if (name === "error") {
          const { error } = await turn.response();
          t.needs(error === undefined, "the server refuses the prompt, so that no turn begins");
        }
        await t.require("ECA-TURN-005", turn.finished());
        const known = await t.require("ECA-CHAT-008", t.prompt(chatId, t.say("recall")).said());
        t.check("ECA-CHAT-008", known.includes(secret), { expected: "what the user said before", actual: known });
      },
    },
  }),
);

/** Chats and their turns. */
export const chatCases: readonly Case[] = [
  ...defineCases({
    "chat.new": {
      title: "a prompt without a chatId creates a chat",
      emits: ["ECA-CHAT-001", "ECA-TURN-003"],
      needs: ["text"],
      smoke: true,
      async run(t) {
        await t.initialized();
        const text = `new-${t.now()}`;
        const turn = t.prompt(null, t.say("text", { text }));
        const { chatId } = await t.require("ECA-CHAT-001", turn.result());
        const said = await t.require("ECA-CHAT-001", turn.said());
        t.check("ECA-CHAT-001", said.includes(text) && typeof chatId === "string", {
          expected: `${text} in the chat of the answer`,
          actual: said,
        });
        const others = t.rest(received, { chatId, role: "system", content: { type: "text" } });
        t.check("ECA-TURN-003", others.length === 0, { expected: "text of the assistant", actual: others });
        const next = t.prompt(null, t.say("text"));
        const { chatId: other } = await next.result();
        t.check("ECA-CHAT-001", other !== chatId, { expected: "a separate chat", actual: other });
        await next.finished();
      },
    },
    "chat.two": {
      title: "two chats are prompted at the same time, and each has its own contents",
      emits: ["ECA-CHAT-001"],
      needs: ["text"],
      plain: true,
      async run(t) {
        const chats = [await t.chat(), await t.chat()];
        const turns = chats.map((chatId) => t.prompt(chatId, t.say("text", { text: chatId })));
        const ended = await Promise.all(turns.map((turn) => ends(turn)));
        const said = await Promise.all(turns.map((turn) => turn.words()));
        const isStrange = said.some((words, at) => chats.some((chat, other) => other !== at && words.includes(chat)));
        // Whether it serves two chats at the same time is another question.
        if (!isStrange && ended.includes(false)) t.blocked("a chat got no answer beside another one");
        t.check("ECA-CHAT-001", !isStrange, { expected: chats, actual: said });
      },
    },
    "chat.own-id": {
      title: "a chatId from the client is used",
      emits: ["ECA-CHAT-002"],
      needs: ["text"],
      plain: true,
      async run(t) {
        await t.initialized();
        const chatId = inventId();
        const turn = t.prompt(chatId, t.say("text"));
        await t.require("ECA-CHAT-002", turn.result({ chatId }));
        await t.require("ECA-CHAT-002", turn.finished());
      },
    },
    "chat.model": {
      title: "the answer names the model that was asked for",
      emits: ["ECA-CHAT-006"],
      needs: ["text"],
      async run(t) {
        const { models } = await t.initialized();
        const known = Array.isArray(models) ? (models as unknown[]) : [];
        t.needs(known.length > 1, "the server has fewer than two models");
        for (const model of [known.at(0), known.at(-1)]) {
          const turn = t.prompt(await t.chat(), t.say("text"), { model });
          await t.require("ECA-CHAT-006", turn.result({ model }));
          await turn.finished();
        }
      },
    },
  }),
  ...tolerant,
  ...contexts,
  ...defineCases({
    "chat.behaviors": {
      title: "a prompt has each of the server's behaviors",
      emits: ["ECA-CHAT-007"],
      needs: ["text"],
      async run(t) {
        const { chatBehaviors } = await t.initialized();
        for (const behavior of Array.isArray(chatBehaviors) ? (chatBehaviors as unknown[]) : []) {
          const turn = t.prompt(await t.chat(), t.say("text"), { behavior });
          await t.require("ECA-CHAT-007", turn.result());
          await t.require("ECA-CHAT-007", turn.finished());
        }
        t.pass("ECA-CHAT-007");
      },
    },
    "chat.contexts": {
      title: "a prompt has contexts of every kind, and none",
      emits: ["ECA-CHAT-007"],
      needs: ["text"],
      async run(t) {
        await t.initialized();
        for (const given of [kinds, []]) {
          const turn = t.prompt(await t.chat(), t.say("text"), { contexts: given });
          await t.require("ECA-CHAT-007", turn.result());
          await t.require("ECA-CHAT-007", turn.finished());
        }
      },
    },
  }),
  ...finished,
  ...defineCases({
    "turn.echo": {
      title: "a turn begins with the user's message",
      emits: ["ECA-TURN-002"],
      needs: ["text"],
      plain: true,
      async run(t) {
        await t.initialized();
        const chatId = await t.chat();
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
    },
    "turn.reason": {
      title: "the model's thoughts are shown in order",
      emits: ["ECA-TURN-006"],
      needs: ["reason"],
      async run(t) {
        await t.initialized();
        const chatId = await t.chat();
        // The thoughts of a second turn are not those of the first.
        for (let turn = 0; turn < 2; turn++) {
          const contents = await t.prompt(chatId, t.say("reason")).finished();
          const types = contents.flatMap(({ type }) => (String(type).startsWith("reason") ? [type] : []));
          const right =
            types[0] === "reasonStarted" && types.includes("reasonText") && types.at(-1) === "reasonFinished";
          t.check("ECA-TURN-006", right, { expected: "reasonStarted, reasonText, reasonFinished", actual: types });
        }
      },
    },
    "turn.order": {
      title: "the texts of a chat keep their order beside another chat's",
      emits: ["ECA-TURN-007"],
      needs: ["chunks"],
      async run(t) {
        await t.initialized();
        const turns = [
          t.prompt(await t.chat(), t.say("chunks", { count: 10 })),
          t.prompt(await t.chat(), t.say("chunks", { count: 10 })),
        ];
        for (const turn of turns) {
          const said = await turn.said();
          t.check("ECA-TURN-007", said.trim() === "1 2 3 4 5 6 7 8 9 10", { expected: "1 to 10", actual: said });
        }
      },
    },
    "turn.responsive": {
      isolation: "rough",
      title: "requests are answered and other chats continue during a turn",
      emits: ["ECA-TURN-008"],
      needs: ["slow", "text"],
      async run(t) {
        await t.initialized();
        const chatId = await t.chat();
        const slow = t.prompt(chatId, t.say("slow"));
        await slow.works();
        await t.require(
          "ECA-TURN-008",
          t.send.request("chat/queryCommands", { query: "" }).result(undefined, { deadline: 2_000 }),
        );
        const other = t.prompt(await t.chat(), t.say("text"));
        await t.require("ECA-TURN-008", other.result(undefined, { deadline: 2_000 }));
        await t.require("ECA-TURN-008", other.finished());
        t.send.notify("chat/promptStop", { chatId });
        await t.require("ECA-TURN-008", slow.finished());
      },
    },
  }),
];
