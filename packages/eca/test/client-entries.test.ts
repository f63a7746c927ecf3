import type { ChatContent } from "@editwire/eca-schema";
import { expect, it } from "vitest";
import { ClientEntries } from "../src/client/entries.js";
import type { EcaEntry } from "../src/index.js";
import { open } from "./client-peer.js";

const mebi = 1_048_576;
const call = { id: "t", name: "read", origin: "native" } as const;

function entriesOf(contents: Iterable<ChatContent>): readonly EcaEntry[] {
  const entries = new ClientEntries();
  for (const content of contents) entries.receive("assistant", content);
  return entries.all;
}

const lengthsOf = (entries: readonly EcaEntry[]): number[] =>
  entries.map((entry) => ("text" in entry ? entry.text.length : 0));

it("keeps 10,000 entries, the newest ones", () => {
  const urls = Array.from({ length: 10_005 }, (_, index) => ({ type: "url", title: String(index), url: "" }) as const);
  const entries = entriesOf(urls);
  expect(entries).toHaveLength(10_000);
  expect([entries[0], entries.at(-1)]).toMatchObject([{ content: { title: "5" } }, { content: { title: "10004" } }]);
});

it("keeps 2 Mi characters, in texts of about 1 Mi", () => {
  const piece = "x".repeat(Math.floor(0.3 * mebi));
  const texts = entriesOf(Array.from({ length: 38 }, () => ({ type: "text", text: piece }) as const));
  expect(lengthsOf(texts)).toEqual([4 * piece.length, 2 * piece.length]);
  expect(texts).toMatchObject([{ type: "message", complete: true }, { complete: false }]);
  const thoughts = entriesOf(Array.from({ length: 6 }, () => ({ type: "reasonText", id: "r", text: piece }) as const));
  expect(lengthsOf(thoughts)).toEqual([4 * piece.length, 2 * piece.length]);
  expect(thoughts).toMatchObject([{ id: "r", complete: true }, { complete: false }]);
});

it("keeps the last entry however long it is, and forgets the tool calls that it drops", () => {
  const outputs = [{ type: "text", text: "x".repeat(9 * mebi) }];
  const entries = new ClientEntries();
  entries.receive("assistant", { ...call, type: "toolCallRun", arguments: {}, manualApproval: false });
  entries.receive("assistant", { ...call, id: "u", type: "toolCalled", arguments: {}, error: false, outputs });
  expect(entries.all).toMatchObject([{ type: "tool_call", toolCall: { toolCallId: "u", status: "completed" } }]);
  expect([entries.toolCall("t"), entries.toolCall("u")]).toMatchObject([undefined, { toolCallId: "u" }]);
});

it("sends the user's answer about a call that is no longer among the entries", async () => {
  const { client, raw } = await open({ permission: "manual" });
  const session = client.newSession({ sessionId: "a" });
  const turn = session.prompt("go");
  raw.answer(await raw.take("chat/prompt"), { chatId: "a", model: "m", status: "success" });
  await turn.answer;
  raw.content("a", "assistant", { ...call, type: "toolCallRun", arguments: {}, manualApproval: true });
  for (let index = 0; index < 9; index++) raw.content("a", "assistant", { type: "text", text: "x".repeat(mebi) });
  raw.content("a", "system", { type: "progress", state: "running", text: "waits" });
  const events = turn[Symbol.asyncIterator]();
  while ((await events.next()).value?.type !== "progress");
  expect(session.state.entries).not.toContainEqual(expect.objectContaining({ type: "tool_call" }));
  expect(session.answerPermission("t", "allow_once")).toBe(true);
  expect((await raw.take("chat/toolCallApprove")).params).toEqual({ chatId: "a", toolCallId: "t" });
  raw.finish("a");
  expect(await turn.stopReason).toBe("end_turn");
});

it.each(["k1", ""])("ends the past at a cursor that repeats or is empty: %j", async (beforeCursor) => {
  const { client, raw } = await open();
  const loading = client.loadSession({ sessionId: "a", limit: 1 });
  const opening = await raw.take("chat/open");
  raw.content("a", "user", { type: "text", text: "second\n" });
  raw.answer(opening, { found: true, chatId: "a", meta: { total: 2, returned: 1, beforeCursor: "k1" } });
  const session = await loading;
  const more = session?.loadEarlier();
  const contents = [{ role: "user", content: { type: "text", text: "first" } }];
  raw.answer(await raw.take("chat/history"), { contents, meta: { total: 2, returned: 1, beforeCursor } });
  expect(await more).toBe(false);
  expect(session?.state.entries).toMatchObject([{ text: "first" }, { text: "second\n" }]);
});

it("does not load what there is no room for, nor what came before it", async () => {
  const { client, raw } = await open();
  const loading = client.loadSession({ sessionId: "a", limit: 3 });
  const opening = await raw.take("chat/open");
  for (let index = 0; index < 3; index++)
    raw.content("a", "user", { type: "text", text: String(index).padEnd(mebi / 2) });
  raw.answer(opening, { found: true, chatId: "a", meta: { total: 5, returned: 3, beforeCursor: "k2" } });
  const session = await loading;
  const more = session?.loadEarlier({ limit: 2 });
  const earlier = ["a", "b"].map((text) => ({ role: "user", content: { type: "text", text: text.padEnd(mebi / 2) } }));
  raw.answer(await raw.take("chat/history"), {
    contents: earlier,
    meta: { total: 5, returned: 2, beforeCursor: "k1" },
  });
  expect(await more).toBe(false);
  expect(session?.state.entries.map((entry) => ("text" in entry ? entry.text.trim() : ""))).toEqual(["0", "1", "2"]);
  expect(await session?.loadEarlier()).toBe(false);
});
