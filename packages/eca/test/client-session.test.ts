import { ecaProfiles } from "@editwire/eca-schema";
import { describe, expect, it } from "vitest";
import type { EcaUpdateEvent, EcaTurn } from "../src/index.js";
import { waitingToolCalls } from "../src/client/state.js";
import { all, open, type Opened } from "./client-peer.js";

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(() => undefined).catch((error: unknown) => error);
}

const success = { chatId: "s1", model: "m1", status: "success" };

/** A turn whose prompt the server has, and answered. */
async function prompted({ client, raw }: Opened, options: { sessionId?: string } = { sessionId: "c" }) {
  const chat = client.newSession(options);
  const turn = chat.prompt("Hello");
  const prompt = await raw.take("chat/prompt");
  raw.answer(prompt, { ...success, chatId: options.sessionId ?? "s1" });
  await turn.answer;
  return { chat, turn, prompt, id: options.sessionId ?? "s1" };
}

const texts = async (turn: EcaTurn): Promise<string[]> =>
  (await all(turn)).map((event) => (event.type === "text" ? event.text : event.type));

describe("the prompt", () => {
  it("C20: says what there is to say, and nothing in place of what is absent", async () => {
    const { client, raw } = await open();
    client.newSession().prompt("Why?");
    expect((await raw.take("chat/prompt")).params).toEqual({
      requestId: "1",
      message: "Why?",
      contexts: [{ type: "repoMap" }],
    });
    const chat = client.newSession({ sessionId: "mine", contexts: [] });
    chat.setContexts([{ type: "file", path: "/a", linesRange: { start: 1, end: 2 } }]);
    chat.prompt("Why?", { model: "m2", behavior: "plan" });
    expect((await raw.take("chat/prompt")).params).toEqual({
      chatId: "mine",
      requestId: "2",
      message: "Why?",
      model: "m2",
      behavior: "plan",
      contexts: [{ type: "file", path: "/a", linesRange: { start: 1, end: 2 } }],
    });
    await raw.close();
  });

  it("in `v2026` makes the chat's id itself, and calls the behavior an agent", async () => {
    const { client, raw } = await open({ profile: ecaProfiles.v2026 });
    const chat = client.newSession();
    chat.prompt("Why?", { behavior: "code", trust: true, variant: "high" });
    const { params } = await raw.take("chat/prompt");
    expect(params).toMatchObject({ chatId: chat.id, agent: "code", trust: true, variant: "high" });
    expect(params).not.toHaveProperty("behavior");
    expect(chat.id).toMatch(/^[0-9a-f-]{36}$/);
    await raw.close();
  });

  it("runs one at a time in a chat, and as many as there are chats", async () => {
    const { client, raw } = await open();
    const one = client.newSession({ sessionId: "one" });
    const turn = one.prompt("Hello");
    expect(() => one.prompt("again")).toThrow(expect.objectContaining({ code: "invalid_params" }));
    const other = client.newSession({ sessionId: "two" }).prompt("Hello");
    for (const chatId of ["one", "two"]) raw.answer(await raw.take("chat/prompt"), { ...success, chatId });
    raw.finish("two");
    expect(await other.stopReason).toBe("end_turn");
    raw.finish("one");
    expect(await turn.stopReason).toBe("end_turn");
    expect(one.prompt("again")).toBeDefined();
    await raw.close();
  });
});

it("refuses a prompt whose chat gets the id of another one, which goes on", async () => {
  const opened = await open();
  const { client, raw } = opened;
  const { turn, id } = await prompted(opened);
  const other = client.newSession().prompt("Hello");
  raw.answer(await raw.take("chat/prompt"), { ...success, chatId: id });
  const message = `chat/prompt: the server answered with the id ${id} of another session`;
  await expect(other.stopReason).rejects.toMatchObject({ code: "invalid_result", message });
  raw.content(id, "assistant", { type: "text", text: "one" });
  raw.finish(id);
  expect(await texts(turn)).toEqual(["one", "stop"]);
  await raw.close();
});

describe("a turn", () => {
  it("C6, A34: has what comes for a new chat before its answer, in order", async () => {
    const { client, raw, diagnostics } = await open();
    const chat = client.newSession();
    const turn = chat.prompt("Hello");
    const prompt = await raw.take("chat/prompt");
    raw.content("s1", "user", { type: "text", text: "Hello\n" });
    raw.content("s1", "assistant", { type: "text", text: "one" });
    raw.answer(prompt, success);
    raw.content("s1", "assistant", { type: "text", text: "two" });
    raw.finish("s1");
    expect(await texts(turn)).toEqual(["user", "one", "two", "stop"]);
    expect(chat.id).toBe("s1");
    expect(diagnostics.filter(({ id }) => id === "unknown-session")).toEqual([]);
    await raw.close();
  });

  it("C6: knows its chat before the answer where the server repeats the id of the prompt", async () => {
    const { client, raw } = await open({ permission: async () => "allow_once" });
    const turn = client.newSession().prompt("Hello");
    const prompt = await raw.take("chat/prompt");
    raw.content("s1", "user", { type: "text", text: "Hello\n" }, { requestId: prompt.params?.["requestId"] });
    raw.toolCall("s1", "t1");
    expect((await raw.take("chat/toolCallApprove")).params).toEqual({ chatId: "s1", toolCallId: "t1" });
    raw.finish("s1");
    expect(await turn.stopReason).toBe("end_turn");
    raw.answer(prompt, success);
    expect(await turn.answer).toEqual(success);
    await raw.close();
  });

  it("C7: gets what is for its chat, and knows what it does not know", async () => {
    const opened = await open();
    const { raw, client, diagnostics } = opened;
    const { turn, id } = await prompted(opened);
    raw.content("other", "assistant", { type: "text", text: "not for you" });
    raw.content(id, "assistant", { type: "hologram", depth: 3 });
    raw.content(id, "narrator", { type: "text", text: "Meanwhile" });
    raw.content(
      id,
      "assistant",
      { type: "text", text: "yes", contentId: null, extra: { kept: true } },
      { parentChatId: null },
    );
    raw.content(id, "assistant", { type: "reasonText", id: "r", text: "never started" });
    raw.content(id, "assistant", {
      type: "toolCalled",
      id: "t",
      name: "x",
      origin: null,
      arguments: null,
      error: null,
      outputs: null,
    });
    raw.finish(id);
    const events = await all(turn);
    expect(events.map(({ type }) => type)).toEqual(["other", "notice", "text", "thought", "tool_call", "stop"]);
    expect(events[2]).toMatchObject({ text: "yes", received: { content: { extra: { kept: true } } } });
    expect(events[4]).toMatchObject({ toolCall: { status: "completed", outputs: [], origin: "unknown" } });
    expect(diagnostics.map(({ id: row }) => row)).toContain("unknown-session");
    await client.close();
    await raw.closed;
  });

  it("C8: ends with finished, with or without a text, and once", async () => {
    const opened = await open();
    const { raw } = opened;
    const first = await prompted(opened);
    raw.content(first.id, "system", { type: "progress", state: "running" });
    raw.content(first.id, "system", { type: "progress", state: "finished", text: "completed" });
    raw.finish(first.id);
    expect(await all(first.turn)).toMatchObject([
      { type: "progress", text: "" },
      { type: "stop", stopReason: "end_turn" },
    ]);
    const second = first.chat.prompt("again");
    raw.answer(await raw.take("chat/prompt"), { ...success, chatId: first.id });
    raw.content(first.id, "assistant", { type: "text", text: "more" });
    raw.finish(first.id);
    expect(await texts(second)).toEqual(["more", "stop"]);
    await raw.close();
  });

  it("C8, A29: does not end with the second finished of a stopped turn before it", async () => {
    const opened = await open();
    const { raw, diagnostics } = opened;
    const { chat, turn, id } = await prompted(opened);
    await turn.cancel();
    raw.finish(id);
    expect(await turn.stopReason).toBe("cancelled");
    const next = chat.prompt("again");
    const prompt = await raw.take("chat/prompt");
    raw.finish(id);
    raw.content(id, "user", { type: "text", text: "again\n" });
    raw.answer(prompt, { ...success, chatId: id });
    raw.content(id, "assistant", { type: "text", text: "yes" });
    raw.finish(id);
    expect(await texts(next)).toEqual(["user", "yes", "stop"]);
    expect(diagnostics.map((row) => row.id)).toContain("stale-finished");
    await raw.close();
  });

  it("C8: does not end with the finished of another prompt, where the server says which it is", async () => {
    const opened = await open();
    const { raw } = opened;
    const { turn, prompt, id } = await prompted(opened);
    raw.content(id, "assistant", { type: "text", text: "a" });
    raw.finish(id, { requestId: "of the turn before" });
    raw.content(id, "assistant", { type: "text", text: "b" }, { requestId: prompt.params?.["requestId"] });
    raw.finish(id, { requestId: prompt.params?.["requestId"] });
    expect(await texts(turn)).toEqual(["a", "b", "stop"]);
    await raw.close();
  });

  it("C8: may be over before its answer, as that of a command is", async () => {
    const { client, raw } = await open();
    const turn = client.newSession({ sessionId: "c" }).prompt("/costs");
    const prompt = await raw.take("chat/prompt");
    raw.content("c", "system", { type: "text", text: "0.00" });
    raw.finish("c");
    expect(await turn.stopReason).toBe("end_turn");
    raw.answer(prompt, { ...success, chatId: "c" });
    expect((await turn.answer).chatId).toBe("c");
    await raw.close();
  });

  it("C9: gives and keeps text verbatim", async () => {
    const opened = await open();
    const { raw } = opened;
    const { chat, turn, id } = await prompted(opened);
    const pieces = ["", " Hello", " Hello", "\n\n", "wörld 🎉 ", ""];
    for (const text of pieces) raw.content(id, "assistant", { type: "text", text });
    raw.finish(id);
    expect(await texts(turn)).toEqual([...pieces, "stop"]);
    expect(chat.state.entries).toMatchObject([
      { type: "message", role: "assistant", text: pieces.join(""), complete: true },
    ]);
    await raw.close();
  });

  it("C18: ends when the prompt is answered with an error", async () => {
    const { client, raw } = await open();
    const chat = client.newSession({ sessionId: "c" });
    const turn = chat.prompt("Hello");
    const { id } = await raw.take("chat/prompt");
    raw.send({ id, error: { code: "chat_not_found", message: "no such chat" } });
    const error = await failure(turn.stopReason);
    expect(error).toMatchObject({ name: "RemoteError", message: "no such chat" });
    expect(await failure(all(turn))).toBe(error);
    expect(await failure(turn.answer)).toBe(error);
    expect(chat.state.running).toBe(false);
    chat.prompt("again");
    await raw.take("chat/prompt");
    await raw.close();
  });

  it.each(["error", "login"])("ends with the status %s, after which nothing comes", async (status) => {
    const { client, raw } = await open({ profile: ecaProfiles.v2026 });
    const turn = client.newSession({ sessionId: "c" }).prompt("Hello");
    raw.answer(await raw.take("chat/prompt"), { chatId: "c", status });
    expect(await turn.stopReason).toBe(status);
    await raw.close();
  });

  it("slows a fast server down for a slow reader, and loses nothing", async () => {
    const opened = await open();
    const { raw } = opened;
    const { turn, id } = await prompted(opened);
    const reading = all(turn);
    for (let n = 0; n < 5_000; n++) raw.content(id, "assistant", { type: "text", text: String(n) });
    raw.finish(id);
    expect((await reading).length).toBe(5_001);
    await raw.close();
  });

  it("takes few long texts that a slow reader has not read", async () => {
    const opened = await open();
    const { raw } = opened;
    const { chat, turn, id } = await prompted(opened);
    const text = "x".repeat(1_048_576);
    for (let n = 0; n < 20; n++) raw.content(id, "assistant", { type: "text", text });
    raw.finish(id);
    let read = 0;
    let ahead = 0;
    for await (const event of turn) {
      if (event.type !== "text") continue;
      read += text.length;
      await new Promise((resolve) => setImmediate(resolve));
      const received = chat.state.entries.reduce((sum, entry) => sum + ("text" in entry ? entry.text.length : 0), 0);
      ahead = Math.max(ahead, received - read);
    }
    expect(read).toBe(20 * text.length);
    expect(ahead).toBeLessThan(4 * text.length);
    await raw.close();
  });
});

describe("approval", () => {
  it("C12: sends the answer once, and only for a call that waits", async () => {
    const opened = await open({ permission: "manual" });
    const { raw } = opened;
    const { chat, turn, id } = await prompted(opened);
    const events = turn[Symbol.asyncIterator]();
    raw.toolCall(id, "t1");
    raw.toolCall(id, "t2");
    raw.toolCall(id, "free", false);
    for (let n = 0; n < 6; n++) await events.next();
    expect(waitingToolCalls(chat.state).map((call) => call.toolCallId)).toEqual(["t1", "t2"]);
    expect(chat.permissions.map((call) => call.toolCallId)).toEqual(["t1", "t2"]);
    expect(chat.answerPermission("t1", "allow_once")).toBe(true);
    expect(chat.answerPermission("t2", "reject_once")).toBe(true);
    await raw.take("chat/toolCallReject");
    expect(chat.state.entries).toMatchObject([
      { toolCall: { status: "in_progress" } },
      { toolCall: { status: "rejected", reason: "user" } },
      { toolCall: { status: "in_progress" } },
    ]);
    for (const call of ["t1", "t2", "free", "unknown"]) {
      expect(chat.answerPermission(call, "allow_once"), call).toBe(false);
      expect(chat.answerPermission(call, "reject_once"), call).toBe(false);
    }
    const answers = raw.received.filter(({ method }) => method?.startsWith("chat/toolCall"));
    expect(answers).toMatchObject([
      { method: "chat/toolCallApprove", params: { chatId: id, toolCallId: "t1" } },
      { method: "chat/toolCallReject", params: { chatId: id, toolCallId: "t2" } },
    ]);
    await raw.close();
    expect(raw.log.filter((method) => method.startsWith("chat/toolCall"))).toHaveLength(2);
  });

  it("C12: asks the handler for calls that wait, and for no others", async () => {
    const asked: string[] = [];
    const opened = await open({
      permission: async ({ toolCallId: id, arguments: given }) => (
        asked.push(`${id} ${JSON.stringify(given)}`), id === "t1" ? "allow_always" : "reject_once"
      ),
    });
    const { raw } = opened;
    const { id } = await prompted(opened);
    raw.toolCall(id, "free", false);
    raw.toolCall(id, "t1");
    raw.toolCall(id, "t2");
    expect((await raw.take("chat/toolCallApprove")).params).toEqual({ chatId: id, toolCallId: "t1", save: "session" });
    expect((await raw.take("chat/toolCallReject")).params).toEqual({ chatId: id, toolCallId: "t2" });
    expect(asked).toEqual([`t1 {"path":"/x"}`, `t2 {"path":"/x"}`]);
    await raw.close();
  });

  it("rejects a call whose handler throws", async () => {
    const bug = new Error("bug");
    const opened = await open({ permission: async () => Promise.reject(bug) });
    const { id } = await prompted(opened);
    opened.raw.toolCall(id, "t1");
    await opened.raw.take("chat/toolCallReject");
    expect(opened.errors).toEqual([bug]);
    await opened.raw.close();
  });

  it("drops an answer that comes after a stop", async () => {
    let answer = (_answer: "allow_once"): void => {};
    const { promise: aborted, resolve: onAborted } = deferred();
    const { promise: asked, resolve: onAsked } = deferred();
    const opened = await open({
      permission: async (_call, { signal }) => {
        signal.addEventListener("abort", () => onAborted());
        onAsked();
        return new Promise((resolve) => (answer = resolve));
      },
    });
    const { raw } = opened;
    const { turn, chat, id } = await prompted(opened);
    raw.toolCall(id, "t1");
    await asked;
    await turn.cancel();
    await aborted;
    answer("allow_once");
    await raw.take("chat/promptStop");
    raw.finish(id);
    expect(await turn.stopReason).toBe("cancelled");
    expect(chat.state.entries.at(-1)).toMatchObject({ toolCall: { status: "cancelled" } });
    await raw.close();
    expect(raw.log).not.toContain("chat/toolCallApprove");
  });

  it("C10, C11: takes arguments in whole texts and in pieces, outputs by both names, and rejections", async () => {
    const opened = await open();
    const { raw } = opened;
    const { turn, chat, id } = await prompted(opened);
    const prepare = (call: string, argumentsText: string): void =>
      raw.content(id, "assistant", { type: "toolCallPrepare", id: call, name: "x", origin: "mcp", argumentsText });
    for (const text of [`{"a"`, `{"a":1}`]) prepare("whole", text);
    for (const text of [`{"a"`, `:1}`]) prepare("pieces", text);
    expect(chat.state.entries).toEqual([]);
    raw.content(id, "assistant", {
      type: "toolCallRun",
      id: "whole",
      name: "x",
      origin: "mcp",
      arguments: { a: 2 },
      manualApproval: false,
    });
    raw.content(id, "assistant", {
      type: "toolCalled",
      id: "whole",
      name: "x",
      origin: "mcp",
      arguments: { a: 2 },
      error: false,
      outputs: [{ type: "text", content: "by content" }, { type: "text", text: "by text" }, null],
    });
    raw.content(id, "assistant", {
      type: "toolCallRejected",
      id: "pieces",
      name: "x",
      origin: "mcp",
      arguments: { a: 1 },
      reason: "user-choice-deny",
    });
    raw.finish(id);
    await all(turn);
    expect(chat.state.entries).toMatchObject([
      {
        toolCall: {
          argumentsText: `{"a":1}`,
          arguments: { a: 2 },
          status: "completed",
          outputs: [{ text: "by content" }, { text: "by text" }],
        },
      },
      { toolCall: { argumentsText: `{"a":1}`, status: "rejected", reason: "userChoiceDeny" } },
    ]);
    await raw.close();
  });
});

describe("a stop", () => {
  it("sends promptStop once, and ends the turn as stopped", async () => {
    const opened = await open();
    const { turn, chat, id } = await prompted(opened);
    await Promise.all([turn.cancel(), chat.cancel(), turn.cancel()]);
    expect((await opened.raw.take("chat/promptStop")).params).toEqual({ chatId: id });
    opened.raw.content(id, "system", { type: "text", text: "\nPrompt stopped" });
    opened.raw.finish(id);
    expect(await all(turn)).toMatchObject([{ type: "notice" }, { type: "stop", stopReason: "cancelled" }]);
    await chat.cancel();
    await opened.raw.close();
    expect(opened.raw.log.filter((method) => method === "chat/promptStop")).toHaveLength(1);
  });

  it("of a chat without a name waits for the name", async () => {
    const { client, raw } = await open();
    const controller = new AbortController();
    const turn = client.newSession().prompt("Hello", { signal: controller.signal });
    const prompt = await raw.take("chat/prompt");
    controller.abort();
    raw.answer(prompt, success);
    expect((await raw.take("chat/promptStop")).params).toEqual({ chatId: "s1" });
    raw.finish("s1");
    expect(await turn.stopReason).toBe("cancelled");
    await raw.close();
  });

  it("before the prompt sends neither", async () => {
    const { client, raw } = await open();
    const turn = client.newSession().prompt("Hello", { signal: AbortSignal.abort() });
    expect(await all(turn)).toEqual([{ type: "stop", stopReason: "cancelled" }]);
    expect(await failure(turn.answer)).toMatchObject({ code: "aborted" });
    await raw.close();
    expect(raw.log).toEqual(["initialize", "initialized"]);
  });

  it("happens when the reader leaves the loop", async () => {
    const opened = await open();
    const { turn, id } = await prompted(opened);
    opened.raw.content(id, "assistant", { type: "text", text: "enough" });
    for await (const event of turn) if (event.type === "text") break;
    await opened.raw.take("chat/promptStop");
    opened.raw.finish(id);
    expect(await turn.stopReason).toBe("cancelled");
    await opened.raw.close();
  });

  it("counts as done when the server does not end the turn", async () => {
    const opened = await open({ cancelGraceMs: 5 });
    const { turn, chat } = await prompted(opened);
    await turn.cancel();
    expect(await turn.stopReason).toBe("cancelled");
    expect(chat.state.running).toBe(false);
    expect(opened.diagnostics.map(({ id }) => id)).toContain("cancel-unanswered");
    await opened.raw.close();
  });

  it("may be answered with an error to the prompt", async () => {
    const { client, raw } = await open();
    const turn = client.newSession({ sessionId: "c" }).prompt("Hello");
    const { id } = await raw.take("chat/prompt");
    await turn.cancel();
    raw.send({ id, error: { code: -32800, message: "cancelled" } });
    expect(await turn.stopReason).toBe("cancelled");
    await raw.close();
  });
});

describe("a chat", () => {
  it("C21: is empty after it was deleted", async () => {
    const opened = await open();
    const { raw } = opened;
    const { chat, turn, id } = await prompted(opened);
    raw.content(id, "assistant", { type: "text", text: "to be forgotten" });
    const deleting = chat.delete();
    const request = await raw.take("chat/delete");
    expect(request.params).toEqual({ chatId: id });
    expect(chat.state.entries).toHaveLength(1);
    raw.answer(request, {});
    await deleting;
    expect(chat.state).toMatchObject({ entries: [], running: false, usage: undefined });
    expect(await turn.stopReason).toBe("cancelled");
    chat.prompt("again");
    expect((await raw.take("chat/prompt")).params).toMatchObject({ chatId: id });
    await raw.close();
  });

  it("C21: stays as it is when it was not", async () => {
    const opened = await open();
    const { chat, id } = await prompted(opened);
    opened.raw.content(id, "assistant", { type: "text", text: "kept" });
    const deleting = failure(chat.delete());
    const request = await opened.raw.take("chat/delete");
    opened.raw.send({ id: request.id, error: { code: -32603, message: "no" } });
    expect(await deleting).toMatchObject({ code: -32603 });
    expect(chat.state.entries).toHaveLength(1);
    await opened.raw.close();
  });

  it("asks for contexts and commands, telling what it has", async () => {
    const { client, raw } = await open();
    const chat = client.newSession({ sessionId: "c", contexts: [{ type: "repoMap" }] });
    const contexts = chat.queryContext("src");
    const asked = await raw.take("chat/queryContext");
    expect(asked.params).toEqual({ chatId: "c", query: "src", contexts: [{ type: "repoMap" }] });
    raw.answer(asked, { chatId: null, contexts: [{ type: "file", path: "/src/a.ts" }] });
    expect(await contexts).toEqual([{ type: "file", path: "/src/a.ts" }]);
    const commands = chat.queryCommands("");
    raw.answer(await raw.take("chat/queryCommands"), {
      commands: [{ name: "costs", description: "", type: "mcp-prompt", arguments: null }],
    });
    expect(await commands).toEqual([{ name: "costs", description: "", type: "mcpPrompt", arguments: [] }]);
    await raw.close();
  });

  it("gets updates from servers of 2026, also between its turns", async () => {
    const events: EcaUpdateEvent[] = [];
    const { client, raw } = await open({ profile: ecaProfiles.v2026, onUpdate: (event) => void events.push(event) });
    const chat = client.newSession({ sessionId: "c" });
    const versions: number[] = [];
    chat.subscribe(({ entries }) => void versions.push(entries.length));
    raw.notify("chat/opened", { chatId: "c", title: "Fix it" });
    raw.notify("config/updated", { chatId: "c", chat: { selectModel: "m9" } });
    raw.content("c", "assistant", { type: "text", text: "replayed" });
    raw.content("c", "system", { type: "metadata", title: "Fixed" });
    raw.notify("chat/cleared", { chatId: "c", messages: false });
    const query = chat.queryCommands("");
    raw.answer(await raw.take("chat/queryCommands"), { commands: [] });
    await query;
    expect(chat.state).toMatchObject({
      title: "Fixed",
      config: { selectModel: "m9" },
      entries: [{ text: "replayed" }],
    });
    expect(client.state.config.selectModel).toBe("m1");
    expect(events.map(({ type }) => type)).toEqual(["text", "other"]);
    raw.notify("chat/cleared", { chatId: "c", messages: true });
    raw.notify("chat/deleted", { chatId: "c" });
    const again = chat.queryCommands("");
    raw.answer(await raw.take("chat/queryCommands"), { commands: [] });
    await again;
    expect(chat.state.entries).toEqual([]);
    expect(versions.at(-1)).toBe(0);
    await raw.close();
  });

  it("is one, however often it is asked for by its id", async () => {
    const { client, raw } = await open();
    const chat = client.newSession({ sessionId: "c" });
    expect(client.newSession({ sessionId: "c" })).toBe(chat);
    expect(client.newSession()).not.toBe(client.newSession());
    await raw.close();
  });

  it("goes on when a listener throws", async () => {
    const opened = await open();
    const bug = new Error("bug");
    const { chat, turn, id } = await prompted(opened);
    chat.subscribe(() => {
      throw bug;
    });
    opened.raw.content(id, "assistant", { type: "text", text: "a" });
    opened.raw.finish(id);
    expect(await texts(turn)).toEqual(["a", "stop"]);
    expect(opened.errors[0]).toBe(bug);
    await opened.raw.close();
  });
});

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
