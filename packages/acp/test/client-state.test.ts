import type { SessionUpdate } from "@editwire/acp-schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readUpdate } from "../src/client/events.js";
import { ClientState } from "../src/client/state.js";
import { ClientToolCalls } from "../src/client/tool-calls.js";

const million = "x".repeat(1_048_576);

/** A state and what feeds it, as a session has them. */
function createState(): { state: ClientState; receive: (...updates: SessionUpdate[]) => void } {
  const calls = new ClientToolCalls();
  const fail = (error: unknown): never => {
    throw error;
  };
  const state = new ClientState({}, fail);
  const receive = (...updates: SessionUpdate[]): void => {
    for (const update of updates)
      state.receive(
        readUpdate(update, (call) => calls.merge(call)),
        JSON.stringify(update).length + 80,
        false,
      );
  };
  return { state, receive };
}

function said(text: string): SessionUpdate {
  return { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
}

function thought(text: string): SessionUpdate {
  return { sessionUpdate: "agent_thought_chunk", content: { type: "text", text } };
}

function output(toolCallId: string, text: string): SessionUpdate {
  return {
    sessionUpdate: "tool_call_update",
    toolCallId,
    content: [{ type: "content", content: { type: "text", text } }],
  };
}

function plan(step: string): SessionUpdate {
  return { sessionUpdate: "plan", entries: [{ content: step, priority: "low", status: "pending" }] };
}

describe("what a session's state keeps", () => {
  it("begins a new entry for text that follows a very long one", () => {
    const { state, receive } = createState();
    receive(said("a"), said(million), said("b"), said("c"));
    expect(state.value.entries).toMatchObject([
      { type: "message", role: "assistant", text: `a${million}` },
      { type: "message", role: "assistant", text: "bc" },
    ]);
  });

  it("joins long and short pieces of text in their order", () => {
    const { state, receive } = createState();
    const long = "x".repeat(2_000);
    receive(said("a"), said("b"), said(long), said("c"), said("d"), said(long), said("e"));
    expect(state.value.entries).toMatchObject([{ type: "message", role: "assistant", text: `ab${long}cd${long}e` }]);
  });

  it("keeps the prompts of two turns apart, also where the agent says nothing to the first", () => {
    const { state } = createState();
    for (const words of ["a", "b"]) {
      state.start([
        { type: "text", text: words },
        { type: "text", text: "!" },
      ]);
      state.end(false);
    }
    expect(state.value.entries).toMatchObject([
      { type: "message", role: "user", text: "a!" },
      { type: "message", role: "user", text: "b!" },
    ]);
  });

  it("drops the oldest entries above 2 Mi characters", () => {
    const { state, receive } = createState();
    receive(...Array.from({ length: 10 }, (_, n) => said(`${n}${million.slice(1)}`)));
    expect(state.value.entries.map((entry) => (entry.type === "message" ? entry.text[0] : entry.type))).toEqual([
      ..."89",
    ]);
  });

  it("keeps the latest entry, however long it is", () => {
    const { state, receive } = createState();
    receive(said(million), said("first"), said(million.repeat(9)));
    expect(state.value.entries.map((entry) => (entry.type === "message" ? entry.text.length : entry.type))).toEqual([
      "first".length + 9 * million.length,
    ]);
  });

  it("drops the oldest of more than 10,000 entries", () => {
    const { state, receive } = createState();
    const small = (n: number): SessionUpdate => (n % 2 === 0 ? said(`${n}`) : thought(`${n}`));
    const isCall = (n: number): boolean => n === 0 || n === 15_001;
    receive(...Array.from({ length: 25_001 }, (_, n) => (isCall(n) ? output(`call-${n}`, "") : small(n))));
    expect(state.value.entries).toHaveLength(10_000);
    expect(state.value.entries[0]).toMatchObject({ toolCall: { toolCallId: "call-15001" } });
    receive(output("call-15001", "goes on"));
    expect(state.value.entries[0]).toMatchObject({ toolCall: { content: [{ content: { text: "goes on" } }] } });
    receive(output("call-0", "was dropped before"));
    expect(state.value.entries.at(-1)).toMatchObject({ toolCall: { toolCallId: "call-0" } });
  });

  it("counts what a tool call has now, not what it had before", () => {
    const { state, receive } = createState();
    receive(said("first"));
    for (let n = 0; n < 20; n++) receive(output("call", `${n} ${million}`));
    expect(state.value.entries).toMatchObject([{ text: "first" }, { toolCall: { toolCallId: "call" } }]);
    for (let n = 0; n < 10; n++) receive(output(`other-${n}`, million));
    const kept = state.value.entries.flatMap((entry) => (entry.type === "tool_call" ? entry.toolCall.toolCallId : []));
    expect(kept).toEqual(["other-9"]);
  });

  it("counts what the user attaches to a prompt", () => {
    const { state, receive } = createState();
    const image = { type: "image" as const, mimeType: "image/png", data: "x".repeat(1_500_000) };
    state.start([image]);
    receive(said("one"));
    state.start([image]);
    expect(state.value.entries).toMatchObject([{ text: "one" }, { type: "content" }]);
  });
});

describe("the order of a session's entries", () => {
  it("keeps a tool call at its place and one plan for each turn", () => {
    const { state, receive } = createState();
    state.start([{ type: "text", text: "go" }]);
    receive(plan("a"), said("1"), output("t", "x"), said("2"), plan("b"), output("t", "y"), said("3"));
    state.end(true);
    state.start([{ type: "text", text: "again" }]);
    receive(plan("c"));
    expect(state.value.entries).toMatchObject([
      { role: "user", text: "go" },
      { type: "plan", entries: [{ content: "b" }] },
      { role: "assistant", text: "1" },
      { toolCall: { status: "cancelled", content: [{ content: { text: "y" } }] } },
      { role: "assistant", text: "23" },
      { role: "user", text: "again" },
      { type: "plan", entries: [{ content: "c" }] },
    ]);
  });

  it("is the same for a subscriber, for a reader now and then, and for one at the end", () => {
    const update = fc.oneof(
      fc.constantFrom("a", "b").map(said),
      fc.tuple(fc.constantFrom("t1", "t2", "t3"), fc.string()).map(([id, text]) => output(id, text)),
      fc.string().map(plan),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(update, fc.boolean()), { maxLength: 40 }), (steps) => {
        const [subscribed, looked, atEnd] = [createState(), createState(), createState()];
        const seen: unknown[] = [];
        subscribed.state.subscribe((value) => seen.push(JSON.stringify(value)));
        for (const [each, looks] of steps) {
          for (const { receive } of [subscribed, looked, atEnd]) receive(each);
          if (!looks) continue;
          const { value } = looked.state;
          expect(JSON.stringify(value)).toBe(seen.at(-1));
          expect(looked.state.value).toBe(value);
          Object.freeze(value.entries);
          for (const entry of value.entries) Object.freeze(entry);
        }
        expect(seen).toHaveLength(steps.length);
        expect(looked.state.value).toEqual(subscribed.state.value);
        expect(atEnd.state.value).toEqual(subscribed.state.value);
      }),
    );
  });
});

it("begins a message where its id changes", () => {
  const { state, receive } = createState();
  const chunk = (sessionUpdate: "agent_message_chunk" | "user_message_chunk", text: string, messageId?: string) =>
    receive({ sessionUpdate, content: { type: "text", text }, ...(messageId === undefined ? {} : { messageId }) });
  chunk("user_message_chunk", "a", "1");
  chunk("user_message_chunk", "b", "1");
  chunk("user_message_chunk", "c", "2");
  chunk("agent_message_chunk", "d", "3");
  chunk("agent_message_chunk", "e", "4");
  chunk("agent_message_chunk", "f");
  expect(state.value.entries.map((entry) => "text" in entry && entry.text)).toEqual(["ab", "c", "d", "ef"]);
});

it("shows what another client says during a turn, and not the prompt again", () => {
  const { state, receive } = createState();
  const chunk = (text: string, messageId?: string): SessionUpdate => ({
    sessionUpdate: "user_message_chunk",
    content: { type: "text", text },
    messageId,
  });
  state.start([{ type: "text", text: "mine, in parts" }]);
  receive(chunk("mine, "), chunk("in parts"), chunk("theirs", "1"));
  expect(state.value.entries.map((entry) => "text" in entry && entry.text)).toEqual(["mine, in parts", "theirs"]);
});

it("does not show a prompt again whose blocks or lines the agent joins in its own way", () => {
  const { state, receive } = createState();
  const echo = (text: string): SessionUpdate => ({
    sessionUpdate: "user_message_chunk",
    content: { type: "text", text },
  });
  const blocks = ["first\r\nsecond", "third"].map((text) => ({ type: "text" as const, text }));
  state.start(blocks);
  receive(echo("first\nsecond\n\nthird"), echo("first\nsecond"));
  expect(state.value.entries).toMatchObject([{ type: "message", role: "user", text: "first\r\nsecondthird" }]);
});
