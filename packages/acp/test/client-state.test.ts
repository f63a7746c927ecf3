import { describe, expect, it } from "vitest";
import type { ToolCallState } from "../src/client-events.js";
import { type AcpSessionState, emptySession, reduceSession } from "../src/client-state.js";

const said = (state: AcpSessionState, text: string): AcpSessionState =>
  reduceSession(state, {
    type: "received",
    event: {
      type: "text",
      text,
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
    },
  });

describe("what a session's state keeps", () => {
  const million = "x".repeat(1_048_576);

  it("begins a new entry for text that follows a very long one", () => {
    const state = ["a", million, "b", "c"].reduce(said, emptySession);
    expect(state.entries).toEqual([
      { type: "message", role: "assistant", text: `a${million}` },
      { type: "message", role: "assistant", text: "bc" },
    ]);
  });

  it("drops the oldest entries above 8 Mi characters", () => {
    const texts = Array.from({ length: 10 }, (_, n) => `${n}${million.slice(1)}`);
    const { entries } = texts.reduce(said, emptySession);
    expect(entries.map((entry) => (entry.type === "message" ? entry.text[0] : entry.type))).toEqual([..."23456789"]);
  });

  it("keeps the latest entry, however long it is", () => {
    const { entries } = ["first", million.repeat(9)].reduce(said, said(emptySession, million));
    expect(entries).toMatchObject([{ type: "message" }]);
  });

  it("drops the oldest of more than 10,000 entries", () => {
    const entries = Array.from({ length: 10_000 }, (_, n) => ({
      type: "tool_call" as const,
      toolCall: toolCall(`call-${n}`),
    }));
    const state = reduceSession({ ...emptySession, entries }, { type: "tool_call", toolCall: toolCall("next") });
    expect(state.entries).toHaveLength(10_000);
    expect(state.entries[0]).toMatchObject({ toolCall: { toolCallId: "call-1" } });
  });
});

function toolCall(toolCallId: string): ToolCallState {
  const absent = { rawInput: undefined, rawOutput: undefined };
  return { toolCallId, title: toolCallId, kind: "read", status: "completed", content: [], locations: [], ...absent };
}
