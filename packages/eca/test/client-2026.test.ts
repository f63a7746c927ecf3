import { expect, it } from "vitest";
import type { EcaSession, EcaToolCallState } from "../src/index.js";
import type { Message } from "../../peer/test/raw-peer.js";
import { all, open, type RawServer } from "./client-peer.js";

/** Shows a chat as servers do, with a tool call that the user once decided. */
function show(raw: RawServer, chatId: string): void {
  raw.notify("chat/cleared", { chatId, messages: true });
  raw.notify("chat/opened", { chatId, title: "Old" });
  raw.content(chatId, "user", { type: "text", text: "hi\n", contentId: "c1" });
  raw.toolCall(chatId, "t1");
  raw.content(chatId, "assistant", {
    type: "toolCalled",
    id: "t1",
    name: "read",
    origin: "native",
    arguments: {},
    error: false,
    outputs: [],
  });
  raw.toolCall(chatId, "t2");
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

it("opens a chat that the server has, and asks the user only about what still waits", async () => {
  const asked: string[] = [];
  const { client, raw } = await open({
    permission: async ({ toolCallId }: EcaToolCallState) => void asked.push(toolCallId),
  });
  const opening = client.loadSession({ sessionId: "old" });
  const request = await raw.take("chat/open");
  show(raw, "old");
  raw.answer(request, { found: true, chatId: "old", title: "Old" });
  const chat = await opening;
  expect(chat?.state).toMatchObject({ title: "Old", running: false });
  expect(chat?.state.entries.map((entry) => (entry.type === "tool_call" ? entry.toolCall.status : entry.type))).toEqual(
    ["message", "completed", "waiting"],
  );
  expect(asked).toEqual(["t2"]);
  expect(client.newSession({ sessionId: "old" })).toBe(chat);
});

it("reports a chat that the server does not have, and does not open one in which a turn runs", async () => {
  const { client, raw } = await open();
  const opening = client.loadSession({ sessionId: "none" });
  raw.answer(await raw.take("chat/open"), { found: false });
  expect(await opening).toBeUndefined();
  const turn = client.newSession({ sessionId: "a" }).prompt("hi");
  expect(await failure(client.loadSession({ sessionId: "a" }))).toMatchObject({ code: "invalid_params" });
  raw.answer(await raw.take("chat/prompt"), { chatId: "a", model: "m1", status: "success" });
  raw.finish("a");
  await all(turn);
});

it("tells a fork from a chat that the server opens on its own", async () => {
  const opened: EcaSession[] = [];
  const { client, raw } = await open({ onSession: (chat) => void opened.push(chat) });
  raw.notify("chat/opened", { chatId: "by command", title: "C" });
  raw.content("by command", "user", { type: "text", text: "x" });
  const contexts = [{ type: "file", path: "/x" }] as const;
  const chat = client.newSession({ sessionId: "a", contexts });
  const forks = ["f1", "f2"].map((id) => ({ id, forking: chat.fork(id) }));
  for (const { id, forking } of forks) {
    const request = await raw.next(({ method, params }) => method === "chat/fork" && params?.["contentId"] === id);
    show(raw, id);
    raw.answer(request, {});
    expect(await forking).toMatchObject({ id, state: { title: "Old", contexts, entries: { length: 3 } } });
  }
  expect(opened).toMatchObject([{ id: "by command", state: { title: "C", entries: { length: 1 } } }]);

  const none = chat.fork("f3");
  raw.answer(await raw.take("chat/fork"), {});
  expect(await failure(none)).toMatchObject({ code: "invalid_result" });
  const refused = chat.fork("f4");
  raw.send({ id: (await raw.take("chat/fork")).id, error: { code: -32_601, message: "Method not found: chat/fork" } });
  expect(await failure(refused)).toMatchObject({ code: -32_601 });
});

it("keeps the state of a chat in step with what is changed about it", async () => {
  const { client, raw } = await open();
  const chat = client.newSession({ sessionId: "a" });
  const does = async (action: Promise<void>, method: string, before = (): void => {}): Promise<Message["params"]> => {
    const request = await raw.take(method);
    before();
    raw.answer(request, {});
    await action;
    return request.params;
  };
  expect(await does(chat.rename("T"), "chat/update")).toEqual({ chatId: "a", title: "T" });
  expect(await does(chat.trust(true), "chat/update")).toEqual({ chatId: "a", trust: true });
  raw.content("a", "user", { type: "text", text: "x", contentId: "c1" });
  raw.content("a", "user", { type: "text", text: "y", contentId: "c2" });
  const rolled = await does(chat.rollback("c2", { tools: true }), "chat/rollback", () => {
    raw.notify("chat/cleared", { chatId: "a", messages: true });
    raw.content("a", "user", { type: "text", text: "x", contentId: "c1" });
  });
  expect(rolled).toEqual({ chatId: "a", contentId: "c2", include: ["messages", "tools"] });
  expect(chat.state.entries).toMatchObject([{ contentId: "c1" }]);
  expect(await does(chat.clear(), "chat/clear")).toEqual({ chatId: "a", messages: true });
  expect(chat.state).toMatchObject({ entries: [], title: "T" });
  const nameless = client.newSession();
  await nameless.clear();
  for (const action of [nameless.rename("x"), nameless.trust(true), nameless.rollback("c"), nameless.fork("c")])
    expect(await failure(action)).toMatchObject({ code: "invalid_params" });
});

it("reports added and removed folders, whose uris have a scheme", async () => {
  const { client, raw } = await open();
  const folder = { uri: "file:///p", name: "p" };
  await client.changeWorkspaceFolders({ added: [folder] });
  expect((await raw.take("workspace/didChangeWorkspaceFolders")).params).toEqual({
    event: { added: [folder], removed: [] },
  });
  expect(await failure(client.changeWorkspaceFolders({ added: [{ uri: "/p", name: "p" }] }))).toBeInstanceOf(TypeError);
});

it("C13: answers questions by its handler; one that fails, or gives no answer, cancels", async () => {
  const boom = new Error("no window");
  const { raw, errors } = await open({
    question({ question }) {
      if (question === "fail") throw boom;
      return question === "Which?" ? "this" : undefined;
    },
  });
  const capabilities = raw.received[0]?.params?.["capabilities"];
  expect(capabilities).toEqual({
    codeAssistant: { chat: true, rewrite: true, chatCapabilities: { askQuestion: true } },
  });
  for (const [question, result] of [
    ["Which?", { answer: "this", cancelled: false }],
    ["later", { answer: null, cancelled: true }],
    ["fail", { answer: null, cancelled: true }],
  ] as const) {
    raw.send({ id: question, method: "chat/askQuestion", params: { chatId: "a", question, allowFreeform: true } });
    expect((await raw.next(({ id, method }) => id === question && method === undefined)).result).toEqual(result);
  }
  expect(errors).toEqual([boom]);
});

it("asks a question after the reader has the events before it", async () => {
  const order: string[] = [];
  const { client, raw } = await open({
    question({ question }) {
      order.push(`ask ${question}`);
      return "this";
    },
  });
  const turn = client.newSession({ sessionId: "a" }).prompt("hi");
  const reading = (async () => {
    for await (const event of turn) order.push(event.type);
  })();
  raw.answer(await raw.take("chat/prompt"), { chatId: "a", model: "m1", status: "success" });
  raw.content("a", "assistant", { type: "text", text: "One question." });
  raw.send({ id: "q", method: "chat/askQuestion", params: { chatId: "a", question: "Which?" } });
  await raw.next(({ id, method }) => id === "q" && method === undefined);
  raw.content("a", "system", { type: "progress", state: "finished" });
  await reading;
  expect(order.filter((type) => type !== "progress")).toEqual(["text", "ask Which?", "stop"]);
});

it("takes a question back when its turn is stopped", async () => {
  let gone = (): void => {};
  const isGone = new Promise<void>((resolve) => (gone = resolve));
  let asked = (): void => {};
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  const { client, raw } = await open({
    question: (_question, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => (gone(), resolve(undefined)), { once: true });
        asked();
      }),
  });
  const turn = client.newSession({ sessionId: "a" }).prompt("hi");
  raw.answer(await raw.take("chat/prompt"), { chatId: "a", model: "m1", status: "success" });
  raw.send({ id: "q", method: "chat/askQuestion", params: { chatId: "a", question: "Which?" } });
  await isAsked;
  raw.content("a", "assistant", { type: "text", text: "x" });
  for await (const event of turn) if (event.type === "text") break;
  await isGone;
  expect((await raw.next(({ id }) => id === "q")).result).toEqual({ answer: null, cancelled: true });
});
