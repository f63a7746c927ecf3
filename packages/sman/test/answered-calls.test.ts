import type { SmanParams, ToolResult } from "@editwire/sman-schema";
import { expect, it } from "vitest";
import { AnsweredCalls } from "../src/backend/answered-calls.js";

const site = { projectKey: "", webSocketSessionId: "" };
const callOf = (n: number): SmanParams<"TOOL_CALL"> => ({
  toolName: "grep_file",
  params: { pattern: `${n}`, ...site },
  webSocketSessionId: "",
});
const resultOf = (n: number): ToolResult => ({ success: true, result: `result ${n}` });

function filled(count: number, chars = 100): AnsweredCalls {
  const answered = new AnsweredCalls();
  for (let n = 0; n < count; n += 1) answered.add(`id ${n}`, callOf(n), resultOf(n), chars);
  return answered;
}

it("keeps the results of the last 256 calls, for the same call only", () => {
  const answered = filled(300);
  expect(answered.result("id 299", callOf(299))).toEqual(resultOf(299));
  expect(answered.result("id 44", callOf(44))).toEqual(resultOf(44));
  expect(answered.result("id 43", callOf(43))).toBeUndefined();
  expect(answered.result("id 299", callOf(298))).toBeUndefined();
  expect(answered.has("id 43")).toBe(true);
  expect(answered.has("id 300")).toBe(false);
});

it("keeps results of up to 16 Mi characters", () => {
  const answered = filled(10, 4 * 1024 * 1024);
  const kept = Array.from({ length: 10 }, (_, n) => answered.result(`id ${n}`, callOf(n)) !== undefined);
  expect(kept).toEqual([false, false, false, false, false, false, false, true, true, true]);
  answered.add("huge", callOf(10), resultOf(10), 17 * 1024 * 1024);
  expect(answered.result("huge", callOf(10))).toBeUndefined();
  expect(answered.result("id 9", callOf(9))).toBeUndefined();
  answered.add("small", callOf(11), resultOf(11), 100);
  expect(answered.result("small", callOf(11))).toEqual(resultOf(11));
});

it("knows the last 10,000 ids, however many there were", () => {
  const answered = filled(25_000);
  expect([14_999, 15_000, 24_999].map((n) => answered.has(`id ${n}`))).toEqual([false, true, true]);
  expect(answered.result("id 24999", callOf(24_999))).toEqual(resultOf(24_999));
});
