import { isObject } from "@editwire/core";
import type { Case } from "../../../../core/run/case.js";
import { type ClientContext, type ClientTurn, defineCases } from "../../client-role.js";

type Json = Record<string, unknown>;
const text = (words: string): Json => ({ type: "text", text: words });
/** As servers of 2026 send it; the specification gives it a text. */
const finished: Json = { type: "progress", state: "finished" };

/** The text of a chat as the client shows it, if it shows any. */
async function shown(t: ClientContext, chat: string): Promise<string> {
  const { text: words } = await t.report(chat);
  t.needs(typeof words === "string", "the client does not report what it shows");
  return String(words);
}

const tool = { origin: "native", id: "tool-1", name: "read_file" };
/** A tool call from its beginning to its end. */
const toolCall: readonly Json[] = [
  { type: "toolCallPrepare", ...tool, argumentsText: "{}", manualApproval: false },
  { type: "toolCallRun", ...tool, arguments: {}, manualApproval: false },
  { type: "toolCalled", ...tool, arguments: {}, error: false, outputs: [] },
];

/** Every kind of content after which a turn goes on, and whose it is. */
const unfinished: readonly (readonly [content: Json, role: string])[] = [
  [text("Hello"), "user"],
  [{ type: "progress", state: "running", text: "Generating" }, "system"],
  [{ type: "usage", messageInputTokens: 1, messageOutputTokens: 1, sessionTokens: 2 }, "system"],
  [{ type: "reasonStarted", id: "reason-1" }, "assistant"],
  [{ type: "reasonText", id: "reason-1", text: "hm" }, "assistant"],
  [{ type: "reasonFinished", id: "reason-1" }, "assistant"],
  [{ type: "url", title: "A page", url: "http://127.0.0.1:1/" }, "assistant"],
  ...toolCall.map((content) => [content, "assistant"] as const),
  [{ type: "toolCallRejected", ...tool, id: "tool-2", arguments: {}, reason: "user" }, "assistant"],
];

/** A turn in which the server said something, and which is over. */
async function spoken(t: ClientContext, chat: string, words: string, more: readonly Json[] = []): Promise<ClientTurn> {
  const turn = await t.prompt(chat);
  turn.answer();
  for (const one of [text(words), ...more]) turn.content(one);
  turn.end();
  await turn.done;
  return turn;
}

const strange: Readonly<Record<string, (chatId: string) => Json>> = {
  "chat-id": () => ({ chatId: "no-such-chat", role: "assistant", content: text("not yours") }),
  type: (chatId) => ({ chatId, role: "assistant", content: { type: "hologram", depth: 3 } }),
  role: (chatId) => ({ chatId, role: "critic", content: text("hm") }),
  state: (chatId) => ({ chatId, role: "system", content: { type: "progress", state: "pausing", text: "" } }),
  fields: (chatId) => ({
    chatId,
    role: "assistant",
    mood: "good",
    content: { type: "usage", sessionTokens: 3, limit: { context: 1 } },
  }),
  nulls: (chatId) => ({
    chatId,
    role: "assistant",
    content: {
      type: "toolCallPrepare",
      origin: "native",
      id: "tool-1",
      name: "read_file",
      argumentsText: "{}",
      manualApproval: false,
      summary: null,
      details: null,
    },
  }),
};

const strangeCases = Object.entries(strange).flatMap(([name, params]) =>
  defineCases({
    [`chat.unknown-${name}`]: {
      title: `content with something unknown is tolerated: ${name}`,
      emits: ["ECA-CHAT-021"],
      async run(t) {
        const turn = await t.prompt(t.chat());
        turn.answer();
        t.send.invalid({ jsonrpc: "2.0", method: "chat/contentReceived", params: params(turn.chatId) });
        turn.end();
        await t.require("ECA-CHAT-021", turn.done);
        await t.require("ECA-CHAT-021", t.works());
      },
    },
  }),
);

/** Contents that a user sees besides the assistant's texts. */
const besides: Readonly<Record<string, { readonly role: string; readonly content: Json }>> = {
  system: { role: "system", content: text("The model cannot be reached") },
  url: {
    role: "assistant",
    content: { type: "url", title: "The model cannot be reached", url: "http://127.0.0.1:1/" },
  },
};

const besideCases = Object.entries(besides).flatMap(([name, { role: owner, content }]) =>
  defineCases({
    [`turn.shows-${name}`]: {
      title: `a content is shown: ${name}`,
      emits: ["ECA-TURN-025"],
      async run(t) {
        const chat = t.chat();
        const turn = await t.prompt(chat);
        turn.answer();
        turn.content(content, owner);
        turn.end();
        await t.require("ECA-TURN-025", turn.done);
        const words = await shown(t, chat);
        const right = words.includes("The model cannot be reached") || words.includes("http://127.0.0.1:1/");
        t.check("ECA-TURN-025", right, { expected: content, actual: words });
      },
    },
  }),
);

/** Chats and turns. */
export const turnCases: readonly Case[] = [
  ...defineCases({
    "turn.message": {
      title: "the user's message is sent unchanged",
      emits: ["ECA-TURN-023"],
      smoke: true,
      async run(t) {
        const message = ' Grüße, "世界" 😀\n ';
        const turn = await t.prompt(t.chat(), message);
        if (t.conversation.link.control !== undefined)
          t.check("ECA-TURN-023", turn.ask.params["message"] === message, {
            expected: message,
            actual: turn.ask.params["message"],
          });
        else t.pass("ECA-TURN-023");
        turn.end();
        await turn.done;
      },
    },
    "chat.early": {
      title: "contents that arrive before the answer are shown",
      emits: ["ECA-CHAT-020"],
      smoke: true,
      async run(t) {
        const chat = t.chat();
        const turn = await t.prompt(chat);
        turn.content(text("early "));
        turn.answer();
        turn.content(text("late"));
        turn.end();
        await t.require("ECA-CHAT-020", turn.done);
        const words = await shown(t, chat);
        t.check("ECA-CHAT-020", words.includes("early late"), { expected: "early late", actual: words });
      },
    },
    "chat.early-end": {
      title: "a turn ends whose end arrives before its answer",
      emits: ["ECA-CHAT-020"],
      async run(t) {
        const turn = await t.prompt(t.chat());
        turn.content(text("all"));
        turn.content(finished, "system");
        turn.answer();
        await t.require("ECA-CHAT-020", turn.done);
      },
    },
  }),
  ...strangeCases,
  ...defineCases({
    "turn.repo-map": {
      title: "a prompt has the map of the workspace among its contexts",
      emits: ["ECA-TURN-027"],
      async run(t) {
        const turn = await t.prompt(t.chat());
        const { contexts = [] } = turn.ask.params;
        turn.end();
        await turn.done;
        const has = Array.isArray(contexts) && contexts.some((one) => isObject(one) && one["type"] === "repoMap");
        t.check("ECA-TURN-027", has, { expected: "a context of the type repoMap", actual: contexts });
      },
    },
    "turn.finished": {
      title: "finished ends the turn",
      emits: ["ECA-TURN-020"],
      smoke: true,
      async run(t) {
        const turn = await t.prompt(t.chat());
        turn.end();
        await t.require("ECA-TURN-020", turn.done);
      },
    },
    "turn.finished-again": {
      title: "finished ends the turn without a text, and is sent twice",
      emits: ["ECA-TURN-026"],
      async run(t) {
        const chat = t.chat();
        const turn = await t.prompt(chat);
        turn.answer();
        turn.content(finished, "system");
        await t.require("ECA-TURN-026", turn.done);
        turn.content(finished, "system");
        await t.require("ECA-TURN-026", t.works());
        // One that acts of its own accord may have had no more to say.
        if (t.conversation.link.control === undefined) return;
        const next = await t.require("ECA-TURN-026", t.prompt(chat, "Again"));
        next.end();
        await t.require("ECA-TURN-026", next.done);
      },
    },
    "chat.continues": {
      title: "the next prompt of a chat names it",
      emits: ["ECA-CHAT-022"],
      async run(t) {
        t.needs(t.conversation.link.control !== undefined, "the client prompts of its own accord");
        const chat = t.chat();
        // The chat that continues is not the newest.
        for (const one of [chat, t.chat()]) {
          const turn = await t.prompt(one);
          turn.end();
          await turn.done;
        }
        // It waits for a prompt that names the chat.
        const next = await t.require("ECA-CHAT-022", t.prompt(chat, "Go on"));
        next.end();
        await next.done;
      },
    },
    "turn.running": {
      title: "nothing but finished ends the turn, and not that of another chat",
      emits: ["ECA-TURN-020"],
      async run(t) {
        const turn = await t.prompt(t.chat());
        turn.answer();
        for (const [content, role] of unfinished) turn.content(content, role);
        // 2026 servers send an object here, too.
        if (t.profile.name === "spec") turn.content({ ...toolCall[2], arguments: ["a"] });
        let over = false;
        turn.done.then(
          () => (over = true),
          () => {},
        );
        if (t.conversation.link.control !== undefined) {
          const other = await t.require("ECA-TURN-020", t.prompt(t.chat()));
          other.end();
          await t.require("ECA-TURN-020", other.done);
          await t.pace(100);
          t.check("ECA-TURN-020", !over, { expected: "a turn that continues", actual: "it is over" });
        }
        turn.end();
        await t.require("ECA-TURN-020", turn.done);
      },
    },
    "turn.texts": {
      title: "texts follow each other verbatim",
      emits: ["ECA-TURN-021"],
      async run(t) {
        const chat = t.chat();
        const turn = await t.prompt(chat);
        turn.answer();
        for (const words of [" a", "a", "a", "a ", "", "\n\n", "ä😀"]) turn.content(text(words));
        turn.end();
        await t.require("ECA-TURN-021", turn.done);
        const words = await shown(t, chat);
        const whole = " aaaa \n\nä😀";
        t.check("ECA-TURN-021", words.includes(whole), { expected: whole, actual: words });
      },
    },
    "turn.refused": {
      title: "a prompt that is refused ends the turn",
      emits: ["ECA-TURN-022"],
      async run(t) {
        const chat = t.chat();
        const turn = await t.prompt(chat);
        t.refuse(turn.ask, { code: -32603, message: "Internal error" });
        const ended = turn.done.then(
          () => {},
          () => {},
        );
        await t.require(
          "ECA-TURN-022",
          Promise.race([
            ended,
            t
              .quiet(2_000)
              .then(() => t.check("ECA-TURN-022", false, { expected: "the end of the turn", actual: "nothing" })),
          ]),
        );
        await t.require("ECA-TURN-022", t.works());
      },
    },
  }),
  ...besideCases,
  ...defineCases({
    stop: {
      title: "a stop names the chat, which goes on",
      emits: ["ECA-STOP-020", "ECA-STOP-021"],
      async run(t) {
        const chat = t.chat();
        const turn = await t.prompt(chat);
        turn.answer();
        await t.pace(50);
        await t.act("stop", { chat }, { optional: true });
        await t.require("ECA-STOP-020", t.expect.notify("chat/promptStop", { chatId: turn.chatId }));
        turn.end();
        await t.require("ECA-STOP-020", turn.done);
        const deleted = t.rest("chat/delete");
        t.check("ECA-STOP-021", deleted.length === 0, { expected: "a chat that goes on", actual: deleted });
        const next = await t.require("ECA-STOP-021", t.prompt(chat, "Go on"));
        next.answer();
        next.content(text("after the stop"));
        next.end();
        await t.require("ECA-STOP-021", next.done);
        const words = await shown(t, chat);
        t.check("ECA-STOP-021", words.includes("after the stop"), { expected: "after the stop", actual: words });
      },
    },
    delete: {
      title: "a chat that was deleted is empty",
      emits: ["ECA-DELETE-020"],
      async run(t) {
        const [chat, newer] = [t.chat(), t.chat()];
        const turn = await spoken(t, chat, "to be forgotten", toolCall);
        // One that acts of its own accord has one chat, and is not told to delete it.
        if (t.conversation.link.control !== undefined) await spoken(t, newer, "to be kept");
        await t.require("ECA-DELETE-020", t.act("delete", { chat }, { optional: true }));
        const deleted = t.rest("chat/delete").map(({ params }) => params["chatId"]);
        t.check("ECA-DELETE-020", deleted.length === 1 && deleted[0] === turn.chatId, {
          expected: "chat/delete of the chat",
          actual: deleted,
        });
        const kept = await shown(t, newer);
        t.check("ECA-DELETE-020", kept.includes("kept"), { expected: "the other chat", actual: kept });
        const words = await shown(t, chat);
        t.check("ECA-DELETE-020", !words.includes("forgotten"), { expected: "nothing", actual: words });
        const { toolCalls = [] } = await t.report(chat);
        t.check("ECA-DELETE-020", Array.isArray(toolCalls) && toolCalls.length === 0, {
          expected: "no tool call of the deleted chat",
          actual: toolCalls,
        });
      },
    },
    "delete-late": {
      title: "a deleted chat is empty after the answer, whatever came before it",
      emits: ["ECA-DELETE-020"],
      async run(t) {
        const chat = t.chat();
        const { chatId, content } = await spoken(t, chat, "to be forgotten");
        t.answer("chat/delete", () => undefined);
        const deleted = t.act("delete", { chat }, { optional: true });
        const asked = t.expect.request("chat/delete", { chatId });
        const ask = await Promise.race([asked, deleted.then(() => asked)]);
        content(text("too late"));
        await t.pace(50);
        t.reply(ask, {});
        await deleted;
        const words = await shown(t, chat);
        t.check("ECA-DELETE-020", !words.includes("late"), { expected: "nothing", actual: words });
      },
    },
  }),
];
