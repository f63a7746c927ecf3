import { methodOf, methodsOf } from "@editwire/core";
import { commands, kaiak, KaiakErrorCode } from "@editwire/kaiak-schema";
import { expect, test } from "vitest";

test("the commands and streams of the specification are in the table", () => {
  for (const command of commands) expect(methodOf(kaiak, command)?.from).toBe("client");
  const streams = methodsOf(kaiak).filter(([name]) => name.startsWith("kaiak/stream/"));
  expect(streams.map(([name]) => name.slice("kaiak/stream/".length))).toEqual([
    "progress",
    "ai_response",
    "thinking",
    "tool_call",
    "user_interaction",
    "file_modification",
    "error",
    "system",
  ]);
  expect(streams.every(([, { from, kind }]) => from === "server" && kind === "notification")).toBe(true);
});

test("the error codes are the sixteen of the specification, without a gap", () => {
  expect(Object.values(KaiakErrorCode)).toEqual(Array.from({ length: 16 }, (_, index) => -32001 - index));
});
