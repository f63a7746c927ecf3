import { isObject } from "@editwire/core";
import { type Case, defineCase } from "../../../../core/case.js";
import type { ClientContext } from "../../client-role.js";

type Json = Record<string, unknown>;
const role = "client";
const text = (words: string): Json => ({ type: "text", text: words });
const finished: Json = { type: "progress", state: "finished" };
const tool = { origin: "native", id: "tool-1", name: "read_file" };
const run = { type: "toolCallRun", ...tool, arguments: { path: "a" }, manualApproval: false };

/** One tool call as the client shows it, if it shows any. */
async function toolCall(t: ClientContext, chat: string): Promise<Json> {
  const { toolCalls } = await t.report(chat);
  t.needs(Array.isArray(toolCalls), "the client does not tell of tool calls");
  const found = (toolCalls as unknown[]).find((call) => isObject(call) && call["id"] === tool.id);
  return isObject(found) ? found : {};
}

/** The text of a chat as the client shows it, if it shows any. */
async function shown(t: ClientContext, chat: string): Promise<string> {
  const { text: words } = await t.report(chat);
  t.needs(typeof words === "string", "the client does not tell what it shows");
  return String(words);
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
      ...tool,
      argumentsText: "{}",
      manualApproval: false,
      summary: null,
      details: null,
    },
  }),
};

const strangeCases = Object.entries(strange).map(([name, params]) =>
  defineCase<ClientContext>(
    {
      role,
      id: `eca.client.chat.unknown-${name}`,
      title: `content with something unknown is borne: ${name}`,
      emits: ["ECA-CHAT-021"],
    },
    async (t) => {
      const turn = await t.prompt(t.chat());
      turn.answer();
      t.send.invalid({ jsonrpc: "2.0", method: "chat/contentReceived", params: params(turn.chatId) });
      turn.end();
      await t.require("ECA-CHAT-021", turn.done);
      await t.require("ECA-CHAT-021", t.works());
    },
  ),
);

const prepares: Readonly<Record<string, readonly string[]>> = {
  whole: ['{"path":"a"}'],
  pieces: ['{"path"', ':"a"}'],
  growing: ['{"path"', '{"path":"a"}'],
};

const prepareCases = Object.entries(prepares).map(([name, texts]) =>
  defineCase<ClientContext>(
    { role, id: `eca.client.tool.prepare-${name}`, title: `argumentsText is taken: ${name}`, emits: ["ECA-TOOL-022"] },
    async (t) => {
      const chat = t.chat();
      const turn = await t.prompt(chat);
      turn.answer();
      for (const argumentsText of texts)
        turn.content({ type: "toolCallPrepare", ...tool, argumentsText, manualApproval: false });
      turn.content(run);
      turn.content({ type: "toolCalled", ...tool, arguments: { path: "a" }, error: false, outputs: [] });
      turn.end();
      await t.require("ECA-TOOL-022", turn.done);
      const call = await toolCall(t, chat);
      const right = call["arguments"] === undefined || JSON.stringify(call["arguments"]) === '{"path":"a"}';
      t.check("ECA-TOOL-022", right, { expected: "the arguments of toolCallRun", actual: call });
    },
  ),
);

const outputs: readonly string[] = ["text", "content"];

/** Chats, turns and tool calls. */
export const turnCases: readonly Case[] = [
  defineCase<ClientContext>(
    {
      role,
      id: "eca.client.turn.message",
      title: "the user's message is sent as it is",
      emits: ["ECA-TURN-023"],
      smoke: true,
    },
    async (t) => {
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
  ),
  defineCase<ClientContext>(
    {
      role,
      id: "eca.client.chat.early",
      title: "contents ahead of the answer are shown",
      emits: ["ECA-CHAT-020"],
      smoke: true,
    },
    async (t) => {
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
  ),
  defineCase<ClientContext>(
    {
      role,
      id: "eca.client.chat.early-end",
      title: "a turn that ends ahead of the answer ends",
      emits: ["ECA-CHAT-020"],
    },
    async (t) => {
      const turn = await t.prompt(t.chat());
      turn.content(text("all"));
      turn.content(finished, "system");
      turn.answer();
      await t.require("ECA-CHAT-020", turn.done);
    },
  ),
  ...strangeCases,
  defineCase<ClientContext>(
    {
      role,
      id: "eca.client.turn.finished",
      title: "finished ends the turn, without a text and twice too",
      emits: ["ECA-TURN-020"],
      smoke: true,
    },
    async (t) => {
      const chat = t.chat();
      const turn = await t.prompt(chat);
      turn.answer();
      turn.content(finished, "system");
      await t.require("ECA-TURN-020", turn.done);
      turn.content(finished, "system");
      await t.require("ECA-TURN-020", t.works());
      // One that acts of its own accord may have had no more to say.
      if (t.conversation.link.control === undefined) return;
      const next = await t.require("ECA-TURN-020", t.prompt(chat, "Again"));
      next.end();
      await t.require("ECA-TURN-020", next.done);
    },
  ),
  defineCase<ClientContext>(
    { role, id: "eca.client.turn.running", title: "nothing but finished ends the turn", emits: ["ECA-TURN-020"] },
    async (t) => {
      const turn = await t.prompt(t.chat());
      turn.answer();
      turn.content({ type: "progress", state: "running", text: "Generating" }, "system");
      let over = false;
      turn.done.then(
        () => (over = true),
        () => {},
      );
      if (t.conversation.link.control !== undefined) {
        await t.pace(100);
        t.check("ECA-TURN-020", !over, { expected: "a turn that goes on", actual: "it is over" });
      }
      turn.end();
      await t.require("ECA-TURN-020", turn.done);
    },
  ),
  defineCase<ClientContext>(
    { role, id: "eca.client.turn.texts", title: "texts follow each other verbatim", emits: ["ECA-TURN-021"] },
    async (t) => {
      const chat = t.chat();
      const turn = await t.prompt(chat);
      turn.answer();
      for (const words of [" a", "a", "a ", "", "\n\n", "ä😀"]) turn.content(text(words));
      turn.end();
      await t.require("ECA-TURN-021", turn.done);
      const words = await shown(t, chat);
      t.check("ECA-TURN-021", words.includes(" aaa \n\nä😀"), { expected: " aaa \n\nä😀", actual: words });
    },
  ),
  defineCase<ClientContext>(
    { role, id: "eca.client.turn.refused", title: "a prompt that is refused ends the turn", emits: ["ECA-TURN-022"] },
    async (t) => {
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
  ),
  ...prepareCases,
  ...outputs.map((field) =>
    defineCase<ClientContext>(
      {
        role,
        id: `eca.client.tool.output-${field}`,
        title: `the output of a tool is taken under ${field}`,
        emits: ["ECA-TOOL-023"],
      },
      async (t) => {
        const chat = t.chat();
        const turn = await t.prompt(chat);
        turn.answer();
        turn.content({ type: "toolCallPrepare", ...tool, argumentsText: "{}", manualApproval: false });
        turn.content(run);
        turn.content({
          type: "toolCalled",
          ...tool,
          arguments: {},
          error: false,
          outputs: [{ type: "text", [field]: "out" }],
        });
        turn.end();
        await t.require("ECA-TOOL-023", turn.done);
        const call = await toolCall(t, chat);
        t.check("ECA-TOOL-023", call["text"] === undefined || String(call["text"]).includes("out"), {
          expected: "out",
          actual: call,
        });
      },
    ),
  ),
  defineCase<ClientContext>(
    { role, id: "eca.client.tool.rejected", title: "a tool call that was rejected is over", emits: ["ECA-TOOL-023"] },
    async (t) => {
      const chat = t.chat();
      const turn = await t.prompt(chat);
      turn.answer();
      turn.content({ type: "toolCallPrepare", ...tool, argumentsText: "{}", manualApproval: false });
      turn.content(run);
      turn.content({ type: "toolCallRejected", ...tool, arguments: {}, reason: "user" });
      turn.end();
      await t.require("ECA-TOOL-023", turn.done);
      const call = await toolCall(t, chat);
      t.check("ECA-TOOL-023", call["state"] === undefined || call["state"] === "rejected", {
        expected: "rejected",
        actual: call,
      });
    },
  ),
  ...(["approve", "reject"] as const).map((policy) =>
    defineCase<ClientContext>(
      {
        role,
        id: `eca.client.tool.${policy}`,
        title: `the user's word is sent: ${policy}`,
        emits: ["ECA-TOOL-021"],
        smoke: policy === "approve",
      },
      async (t) => {
        await t.approval(policy);
        const turn = await t.prompt(t.chat());
        turn.answer();
        turn.content({ type: "toolCallPrepare", ...tool, argumentsText: "{}", manualApproval: true });
        turn.content({ ...run, manualApproval: true });
        const method = policy === "approve" ? "chat/toolCallApprove" : "chat/toolCallReject";
        await t.require("ECA-TOOL-021", t.expect.notify(method, { chatId: turn.chatId, toolCallId: tool.id }));
        turn.end();
        await turn.done;
      },
    ),
  ),
  defineCase<ClientContext>(
    { role, id: "eca.client.tool.unasked", title: "a call that needs no approval gets none", emits: ["ECA-TOOL-021"] },
    async (t) => {
      await t.approval("approve");
      const turn = await t.prompt(t.chat());
      turn.answer();
      turn.content({ type: "toolCallPrepare", ...tool, argumentsText: "{}", manualApproval: false });
      turn.content(run);
      await t.require("ECA-TOOL-021", t.quiet(100, { method: "chat/toolCallApprove" }));
      turn.end();
      await turn.done;
    },
  ),
  defineCase<ClientContext>(
    { role, id: "eca.client.stop", title: "a stop names the chat", emits: ["ECA-STOP-020"] },
    async (t) => {
      const chat = t.chat();
      const turn = await t.prompt(chat);
      turn.answer();
      await t.pace(50);
      await t.act("stop", { chat }, { optional: true });
      await t.require("ECA-STOP-020", t.expect.notify("chat/promptStop", { chatId: turn.chatId }));
      turn.end();
      await t.require("ECA-STOP-020", turn.done);
    },
  ),
  defineCase<ClientContext>(
    { role, id: "eca.client.delete", title: "a chat that was deleted is empty", emits: ["ECA-DELETE-020"] },
    async (t) => {
      const chat = t.chat();
      const turn = await t.prompt(chat);
      turn.answer();
      turn.content(text("to be forgotten"));
      turn.end();
      await turn.done;
      await t.act("delete", { chat }, { optional: true });
      t.check("ECA-DELETE-020", t.rest("chat/delete", { chatId: turn.chatId }).length === 1, {
        expected: "chat/delete of the chat",
        actual: t.rest("chat/delete"),
      });
      const words = await shown(t, chat);
      t.check("ECA-DELETE-020", !words.includes("forgotten"), { expected: "nothing", actual: words });
    },
  ),
];
