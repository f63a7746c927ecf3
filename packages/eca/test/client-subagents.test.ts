import { expect, it } from "vitest";
import type { EcaSession } from "../src/index.js";
import { open } from "./client-peer.js";

const child = { parentChatId: "a" };

it("gives the contents of a subagent's chat to a session of its own, which names its parent", async () => {
  const opened: EcaSession[] = [];
  const updates: string[] = [];
  const { client, raw } = await open({
    onSession: (session) => void opened.push(session),
    onUpdate: (event, session) => void updates.push(`${session.id} ${event.type}`),
  });
  const session = client.newSession({ sessionId: "a" });
  const turn = session.prompt("delegate");
  raw.answer(await raw.take("chat/prompt"), { chatId: "a", model: "m1", status: "success" });
  raw.content("subagent-1", "assistant", { type: "text", text: "looking" }, child);
  raw.content("subagent-1", "assistant", { type: "text", text: "…" }, child);
  raw.finish("subagent-1", child);
  raw.content("a", "assistant", { type: "text", text: "done" });
  raw.finish("a");
  expect(await turn.stopReason).toBe("end_turn");
  expect(opened.map(({ id, parent }) => [id, parent === session])).toEqual([["subagent-1", true]]);
  expect(opened[0]?.state).toMatchObject({ running: false, entries: [{ type: "message", text: "looking…" }] });
  expect(client.newSession({ sessionId: "subagent-1" })).toBe(opened[0]);
  expect(session.state.entries).toMatchObject([{ text: "done" }]);
  expect(updates).toEqual(["subagent-1 text", "subagent-1 text"]);
});

it("keeps the contents of a subagent's chat when onSession fails", async () => {
  const errors: unknown[] = [];
  const updates: string[] = [];
  const { client, raw } = await open({
    onSession: (session) => {
      if (session.id === "subagent-1") throw new Error("thrown");
      return Promise.reject(new Error("rejected"));
    },
    onUpdate: (event, session) => void updates.push(`${session.id} ${event.type}`),
    onError: (error) => void errors.push((error as Error).message),
  });
  const turn = client.newSession({ sessionId: "a" }).prompt("delegate");
  raw.answer(await raw.take("chat/prompt"), { chatId: "a", model: "m1", status: "success" });
  for (const id of ["subagent-1", "subagent-2"]) raw.content(id, "assistant", { type: "text", text: "looking" }, child);
  raw.finish("a");
  expect(await turn.stopReason).toBe("end_turn");
  expect(updates).toEqual(["subagent-1 text", "subagent-2 text"]);
  expect(errors).toEqual(["thrown", "rejected"]);
});

it("asks the user about the tool calls of a subagent, until the turn of its parent is cancelled", async () => {
  const asked: (string | undefined)[] = [];
  let signal: AbortSignal | undefined;
  let waits = (_session: EcaSession): void => {};
  const waiting = new Promise<EcaSession>((resolve) => (waits = resolve));
  const { client, raw } = await open({
    async permission({ toolCallId }, context) {
      asked.push(`${context.session.id} ${toolCallId}`);
      if (toolCallId === "t1") return "allow_once";
      ({ signal } = context);
      waits(context.session);
      return undefined;
    },
  });
  const session = client.newSession({ sessionId: "a" });
  const turn = session.prompt("delegate");
  raw.answer(await raw.take("chat/prompt"), { chatId: "a", model: "m1", status: "success" });
  raw.content("subagent-1", "assistant", prepared("t1"), child);
  raw.content("subagent-1", "assistant", running("t1"), child);
  expect((await raw.take("chat/toolCallApprove")).params).toEqual({ chatId: "subagent-1", toolCallId: "t1" });
  raw.content("subagent-2", "assistant", prepared("t2"), { parentChatId: "subagent-1" });
  raw.content("subagent-2", "assistant", running("t2"), { parentChatId: "subagent-1" });
  const nested = await waiting;
  expect(nested.permissions).toMatchObject([{ toolCallId: "t2" }]);
  expect(asked).toEqual(["subagent-1 t1", "subagent-2 t2"]);
  await turn.cancel();
  expect(signal?.aborted).toBe(true);
  expect(nested.permissions).toEqual([]);
  raw.finish("a");
  expect(await turn.stopReason).toBe("cancelled");
});

it("keeps what comes for a subagent before its parent has an id", async () => {
  const { client, raw } = await open();
  const turn = client.newSession().prompt("delegate");
  const prompt = await raw.take("chat/prompt");
  raw.content("subagent-1", "assistant", { type: "text", text: "early" }, { parentChatId: "minted" });
  raw.answer(prompt, { chatId: "minted", model: "m1", status: "success" });
  raw.finish("minted");
  await turn.stopReason;
  expect(client.newSession({ sessionId: "subagent-1" }).state.entries).toMatchObject([{ text: "early" }]);
});

it("does not let two chats be the parents of each other", async () => {
  const { client, raw } = await open();
  const session = client.newSession({ sessionId: "a" });
  const turn = session.prompt("delegate");
  raw.answer(await raw.take("chat/prompt"), { chatId: "a", model: "m1", status: "success" });
  raw.content("a", "assistant", { type: "text", text: "own" }, child);
  raw.content("b", "assistant", { type: "text", text: "child" }, child);
  raw.content("a", "assistant", { type: "text", text: " again" }, { parentChatId: "b" });
  raw.toolCall("b", "t1");
  expect((await raw.take("chat/toolCallReject")).params).toEqual({ chatId: "b", toolCallId: "t1" });
  expect(session.parent).toBeUndefined();
  raw.finish("a");
  expect(await turn.stopReason).toBe("end_turn");
  expect(session.state.entries).toMatchObject([{ text: "own again" }]);
});

const call = { id: "t", name: "read", origin: "native" };
const prepared = (id: string): object => ({ ...call, id, type: "toolCallPrepare", argumentsText: "{}" });
const running = (id: string): object => ({ ...call, id, type: "toolCallRun", arguments: {}, manualApproval: true });
