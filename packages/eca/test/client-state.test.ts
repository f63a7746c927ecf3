import type { ChatContent, ChatRole } from "@editwire/eca-schema";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EcaSessionState } from "../src/index.js";
import { waitingToolCalls, reduceSession, openToolCalls, emptySession } from "../src/client/state.js";

function received(state: EcaSessionState, role: ChatRole, content: ChatContent): EcaSessionState {
  return reduceSession(state, { type: "received", received: { chatId: "c", role, content } });
}

function after(...contents: readonly (readonly [ChatRole, ChatContent])[]): EcaSessionState {
  return contents.reduce((state, [role, content]) => received(state, role, content), emptySession());
}

const text = (words: string): ChatContent => ({ type: "text", text: words });
const finished: ChatContent = { type: "progress", state: "finished" };
const call = { id: "t", name: "read", origin: "native" } as const;
const prepare: ChatContent = { ...call, type: "toolCallPrepare", argumentsText: "{}" };
const run: ChatContent = { ...call, type: "toolCallRun", arguments: {}, manualApproval: true };

describe("messages", () => {
  it("begin where another speaker, or something else, comes between", () => {
    const state = after(
      ["user", text("Hi\n")],
      ["assistant", text("a")],
      ["system", { type: "progress", state: "running", text: "Generating" }],
      ["assistant", text("b")],
      ["assistant", { type: "url", title: "t", url: "u" }],
      ["assistant", text("c")],
      ["system", text("notice")],
      ["system", finished],
      ["system", text("after")],
    );
    expect(
      state.entries.map((entry) => (entry.type === "message" ? `${entry.role}: ${entry.text}` : entry.type)),
    ).toEqual(["user: Hi\n", "assistant: ab", "content", "assistant: c", "system: notice", "system: after"]);
  });

  it("keep their ids when earlier ones come before them, and a flag goes", () => {
    const idsOf = ({ entries }: EcaSessionState): string[] => entries.map(({ entryId }) => entryId);
    const flag: ChatContent = { type: "flag", text: "here", contentId: "f" };
    const state = after(["user", text("Hi\n")], ["system", flag], ["assistant", text("a")]);
    const contents = [{ role: "user" as const, content: text("before\n") }];
    const longer = reduceSession(state, { type: "earlier", contents });
    expect(idsOf(longer).slice(1)).toEqual(idsOf(state));
    const shorter = reduceSession(longer, { type: "flag_removed", contentId: "f" });
    expect(idsOf(shorter)).toEqual([0, 1, 3].map((place) => idsOf(longer)[place]));
    const last = received(received(shorter, "user", text("b\n")), "assistant", text("c"));
    expect(new Set(idsOf(last)).size).toBe(5);
  });

  it("of the user stay apart", () => {
    expect(after(["user", text("one")], ["user", text("two")]).entries).toHaveLength(2);
  });

  it("are the pieces put together, whatever they are", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 1 }), (pieces) => {
        const { entries } = after(...pieces.map((piece) => ["assistant", text(piece)] as const));
        expect(entries).toMatchObject([
          { type: "message", role: "assistant", text: pieces.join(""), contentId: undefined, complete: false },
        ]);
      }),
      { numRuns: 50 },
    );
  });
});

describe("thoughts", () => {
  it("are kept apart by their ids, also where one is never started or never finished", () => {
    const state = after(
      ["assistant", { type: "reasonStarted", id: "a" }],
      ["assistant", { type: "reasonStarted", id: "b" }],
      ["assistant", { type: "reasonText", id: "a", text: "1" }],
      ["assistant", { type: "reasonText", id: "b", text: "2" }],
      ["assistant", { type: "reasonText", id: "a", text: "3" }],
      ["assistant", { type: "reasonFinished", id: "a", totalTimeMs: 7 }],
      ["assistant", { type: "reasonFinished", id: "never" }],
      ["system", finished],
    );
    expect(state.entries).toMatchObject([
      { type: "thought", id: "a", text: "13", complete: true, totalTimeMs: 7 },
      { type: "thought", id: "b", text: "2", complete: true },
    ]);
    expect(state.entries).toHaveLength(2);
  });
});

describe("tool calls", () => {
  it("wait only where the run says so, and until they are decided", () => {
    const prepared = after(["assistant", prepare]);
    expect(waitingToolCalls(prepared)).toEqual([]);
    const waiting = received(prepared, "assistant", run);
    expect(waitingToolCalls(waiting)).toMatchObject([{ toolCallId: "t", status: "waiting" }]);
    expect(openToolCalls(reduceSession(waiting, { type: "decided", toolCallId: "t", approved: true }))).toMatchObject([
      { status: "in_progress" },
    ]);
    expect(openToolCalls(reduceSession(waiting, { type: "decided", toolCallId: "t", approved: false }))).toEqual([]);
    expect(reduceSession(prepared, { type: "decided", toolCallId: "t", approved: true })).toBe(prepared);
    expect(reduceSession(prepared, { type: "decided", toolCallId: "other", approved: true })).toBe(prepared);
  });

  it("are over when their turn is", () => {
    const state = after(["assistant", prepare], ["assistant", run], ["system", finished]);
    expect(openToolCalls(state)).toEqual([]);
    expect(state.entries).toMatchObject([{ toolCall: { status: "cancelled" } }]);
  });

  it("keep what a later content leaves out", () => {
    const details = { type: "fileChange", path: "/a", diff: "+a", linesAdded: 1, linesRemoved: 0 } as const;
    const state = after(
      ["assistant", { ...prepare, summary: "Reading", server: "eca", details } as ChatContent],
      ["assistant", run],
      [
        "assistant",
        {
          ...call,
          type: "toolCalled",
          arguments: {},
          error: true,
          outputs: [{ type: "text", text: "no" }],
          totalTimeMs: 3,
        },
      ],
    );
    expect(state.entries).toMatchObject([
      { toolCall: { summary: "Reading", server: "eca", details, status: "failed", totalTimeMs: 3 } },
    ]);
  });

  it("are new where a server begins again with an id that is done", () => {
    const done: ChatContent = { ...call, type: "toolCalled", arguments: {}, error: false, outputs: [] };
    expect(
      after(["assistant", prepare], ["assistant", run], ["assistant", done], ["assistant", prepare]).entries,
    ).toMatchObject([{ toolCall: { status: "completed" } }, { toolCall: { status: "pending" } }]);
  });
});

it("is the same state where nothing that is shown changed", () => {
  const state = after(["assistant", text("a")]);
  expect(received(state, "assistant", { type: "hologram" } as never)).toBe(state);
  expect(received(state, "system", { type: "metadata", title: "" })).toBe(state);
});

it("forgets its messages when it is cleared, and keeps its contexts", () => {
  const contexts = [{ type: "file", path: "/a" }] as const;
  const state = reduceSession(after(["assistant", text("a")], ["system", { type: "usage", sessionTokens: 3 }]), {
    type: "contexts",
    contexts,
  });
  expect(reduceSession(state, { type: "cleared" })).toEqual({ ...emptySession(contexts), config: {} });
});

it("never changes a state in place, and never throws, whatever comes in whatever order", () => {
  const contents: ChatContent[] = [
    text("x"),
    prepare,
    run,
    finished,
    { ...call, type: "toolCallRunning", arguments: {} },
    { ...call, type: "toolCalled", arguments: {}, error: false, outputs: [] },
    { ...call, type: "toolCallRejected", arguments: {}, reason: "user" },
    { type: "reasonStarted", id: "r" },
    { type: "reasonText", id: "r", text: "t" },
    { type: "reasonFinished", id: "r" },
    { type: "usage", sessionTokens: 0 },
    { type: "image", mediaType: "image/png", base64: "" },
    { type: "metadata", title: "T" },
  ];
  const step = fc.tuple(
    fc.constantFrom<ChatRole>("user", "system", "assistant", "narrator"),
    fc.constantFrom(...contents),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let state = deepFreeze(emptySession());
      for (const [role, content] of steps) state = deepFreeze(received(state, role, content));
      const ended = received(state, "system", finished);
      expect(openToolCalls(ended)).toEqual([]);
      expect(ended.running).toBe(false);
    }),
    { numRuns: 100 },
  );
});

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
