import * as fc from "fast-check";
import { hostile, mutate, mutation } from "./arbitrary.js";
import { changedMethods, type Sender } from "./messages.js";
import { ID, PROMPT, TEXT_ID } from "./placeholders.js";
import type { FuzzStep } from "./suite.js";

/** Messages and answers that a role may send. */
export interface RpcSender extends Sender {
  /** Methods whose envelope stays whole: a prompt that is not a request runs a turn that nobody can wait for. */
  readonly whole: readonly string[];
}

/** Messages for each method of a role: valid params with some changes, in an envelope with at most one. */
export function messagesOf({ whole, ...sender }: RpcSender): fc.Arbitrary<FuzzStep>[] {
  return changedMethods(sender).map(({ method, kind, params }) => {
    const id = kind === "request" ? { id: ID } : {};
    const right = fc.constant({ jsonrpc: "2.0", ...id, method });
    const envelope = whole.includes(method)
      ? right
      : fc.oneof({ weight: 3, arbitrary: right }, brokenEnvelope(method, id));
    return fc
      .tuple(envelope, params)
      .map(([head, body]) => ({ do: "message", message: body === undefined ? head : { ...head, params: body } }));
  });
}

/** Envelopes that are wrong or unusual. An answer must have the same id or null. */
function brokenEnvelope(method: string, id: { id?: string }): fc.Arbitrary<Record<string, unknown>> {
  return fc.constantFrom<Record<string, unknown>>(
    { jsonrpc: "1.0", ...id, method },
    { ...id, method },
    { jsonrpc: "2.0", ...id, method: 7 },
    { jsonrpc: "2.0", ...id },
    { jsonrpc: "2.0", method },
    { jsonrpc: "2.0", id: TEXT_ID, method },
    { jsonrpc: "2.0", ...id, method, result: {} },
    { jsonrpc: "2.0", ...id, method, extra: { deep: [[]] } },
    { jsonrpc: "2.0", ...id, method: `${method} ` },
  );
}

/** Answers to what nobody asked, and JSON that is not a message. */
export const strays: fc.Arbitrary<FuzzStep> = fc
  .oneof(
    fc
      .tuple(fc.constantFrom<unknown>(1_000_000, "stray", null), hostile)
      .map(([id, result]) => ({ jsonrpc: "2.0", id, result })),
    fc
      .tuple(fc.constantFrom<unknown>(1_000_000, "stray", null), hostile)
      .map(([id, error]) => ({ jsonrpc: "2.0", id, error })),
    fc.constantFrom<unknown>(null, true, 7, "text", {}),
  )
  .map((message) => ({ do: "message", message }));

/**
 * Answers to the running prompt: a result with some changes, or any error. Nothing is expected after a message that is
 * not an answer.
 */
export function answers(result: Readonly<Record<string, unknown>>): fc.Arbitrary<FuzzStep> {
  return fc
    .oneof(
      fc
        .array(mutation, { minLength: 1, maxLength: 2 })
        .map((list) => ({ result: list.reduce<unknown>(mutate, result) ?? null })),
      fc.tuple(fc.integer(), fc.string(), hostile).map(([code, message, data]) => ({ error: { code, message, data } })),
    )
    .map((answer) => ({ do: "message", message: { jsonrpc: "2.0", id: PROMPT, ...answer } }));
}
