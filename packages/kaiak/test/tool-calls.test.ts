import type { KaiakParams } from "@editwire/kaiak-schema";
import { expect, it } from "vitest";
import { ClientToolCalls } from "../src/client/events.js";
import { ClientState } from "../src/client/state.js";

type Content = KaiakParams<"kaiak/stream/tool_call">["content"];

function running(id: number): Content {
  const parameters = { text: "x".repeat(100_000) };
  return { tool_call_id: String(id), tool_name: "fs", operation: "write", parameters, status: "executing" };
}

const ended = (id: number): Content => ({
  tool_call_id: String(id),
  tool_name: "",
  operation: "",
  parameters: {},
  status: "completed",
});

it("a run keeps 2 Mi characters of the tool calls that do not end, the latest ones", () => {
  const calls = new ClientToolCalls();
  for (let id = 0; id < 100; id++) calls.receive(running(id));
  expect([calls.receive(ended(99)).name, calls.receive(ended(0)).name]).toEqual(["fs", ""]);
});

it("the state forgets a tool call with its entry", () => {
  const calls = new ClientToolCalls();
  const state = new ClientState(() => {});
  const receive = (content: Content): void => state.receive({ type: "tool_call", toolCall: calls.receive(content) });
  for (let id = 0; id < 100; id++) receive(running(id));
  receive(ended(0));
  expect(state.value.entries.at(-1)).toMatchObject({ toolCall: { toolCallId: "0", status: "completed" } });
  expect(state.value.entries.length).toBeLessThan(25);
});
