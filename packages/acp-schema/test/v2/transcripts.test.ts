import { acpV2, acpV2Profile } from "@editwire/acp-schema/v2";
import { isAuthRequired, isSessionNotFound } from "@editwire/acp-schema";
import { methodOf, type Part, RemoteError } from "@editwire/core";
import { describe, expect, test } from "vitest";
import { frozen, lines } from "../support/fixtures.js";
import { receive } from "../support/v2-package.js";
import { withoutNulls } from "../support/without-nulls.js";

/** One distinct message that a real program sent. */
interface Recorded {
  from: "client" | "agent";
  method: string;
  part: Part;
  value: unknown;
  error?: { code: number; message: string; data?: unknown };
}

const recorded = ["sdk-2.4.0", "codex-acp-2.6.0", "rust-sdk-5.2"].flatMap((file) =>
  lines<Recorded>(`v2/transcripts/${file}.jsonl`).map((line, index) => ({ name: `${file}:${index + 1}`, line })),
);
/** Messages of the table: the others are of vendors, or of JSON-RPC itself. */
const messages = recorded.filter(({ line }) => line.error === undefined && methodOf(acpV2, line.method) !== undefined);

describe("every recorded message is read in strict mode, and stays as it is", () => {
  test.each(messages)("$name $line.method $line.part", async ({ line: { from, method, part, value } }) => {
    const def = methodOf(acpV2, method);
    expect(def?.from === from).toBe(part === "params");
    const read = await receive(acpV2Profile, method, part, frozen(value), true);
    expect(read.diagnostics).toEqual([]);
    expect(withoutNulls(read.value)).toEqual(withoutNulls(value));
  });

  test("the recordings have these kinds of updates", () => {
    const kinds = new Set(
      messages.flatMap(
        ({ line: { value } }) => (value as { update?: { sessionUpdate: string } }).update?.sessionUpdate ?? [],
      ),
    );
    expect([...kinds].sort()).toEqual([
      "_demo_hint",
      "agent_message",
      "agent_message_chunk",
      "notice",
      "plan_update",
      "session_info_update",
      "state_update",
      "terminal_output_chunk",
      "terminal_update",
      "tool_call_content_chunk",
      "tool_call_update",
      "usage_update",
      "user_message",
      "user_message_chunk",
    ]);
  });
});

test("the recorded errors are recognized for what they are", () => {
  const errors = recorded.flatMap(({ line: { method, error } }) =>
    error === undefined ? [] : [{ method, error: new RemoteError(error.code, error.message, error.data) }],
  );
  const found = (is: (error: unknown) => boolean): string[] =>
    errors.filter(({ error }) => is(error)).map(({ method }) => method);
  expect(found(isSessionNotFound)).toEqual(["session/resume"]);
  expect(found(isAuthRequired)).toEqual([]);
});
