import { acp as table } from "@editwire/acp-schema";
import { methodsOf, schemaToJson } from "@editwire/core";
import * as fc from "fast-check";
import { hostile, type Known, mutate, mutation, valueOf } from "../../../fuzz/arbitrary.js";
import type { FuzzStep } from "../../../fuzz/suite.js";
import { cwd } from "../agent-role.js";
import { ID, PROMPT, SESSION, TEXT_ID } from "./placeholders.js";

/** What a peer acts on is harmless: no command that is there, no text that asks for work. */
const known: Known = {
  sessionId: fc.constant(SESSION),
  cwd: fc.constant(cwd),
  command: fc.constant("/nonexistent/mcp-server"),
  text: fc.constantFrom("Say ok.", "Say ok. \u00e4\ud83d\ude00", "Say ok.\u2028Say ok."),
  uri: fc.constant("file:///nonexistent"),
  data: fc.constant("aGk="),
  blob: fc.constant("aGk="),
};

/** Everything that a role may send but `initialize`, whose second time is another matter. */
const methodsFrom = (role: string) => methodsOf(table).filter(([name, { from }]) => from === role && name !== "initialize");

/** Messages for one method: valid params with some changes, in an envelope with at most one. */
function messageFor([method, { kind, params }]: ReturnType<typeof methodsFrom>[number]): fc.Arbitrary<FuzzStep> {
  const changed = fc.tuple(valueOf(schemaToJson(params), known), fc.array(mutation, { maxLength: 3 })).map(([valid, list]) => list.reduce(mutate, valid));
  const id = kind === "request" ? { id: ID } : {};
  const right = fc.constant({ jsonrpc: "2.0", ...id, method });
  // A prompt that is no request runs a turn that nobody can wait for.
  const envelope = method === "session/prompt" ? right : fc.oneof({ weight: 3, arbitrary: right }, brokenEnvelope(method, id));
  return fc.tuple(envelope, changed).map(([head, body]) => ({ do: "message", message: body === undefined ? head : { ...head, params: body } }));
}

/** Envelopes that are wrong, or unusual. What answers them has the same id or null, whatever the agent makes of them. */
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

/** Answers to what nobody asked, and JSON that is no message. */
const strays: fc.Arbitrary<FuzzStep> = fc
  .oneof(
    fc.tuple(fc.constantFrom<unknown>(1_000_000, "stray", null), hostile).map(([id, result]) => ({ jsonrpc: "2.0", id, result })),
    fc.tuple(fc.constantFrom<unknown>(1_000_000, "stray", null), hostile).map(([id, error]) => ({ jsonrpc: "2.0", id, error })),
    fc.constantFrom<unknown>(null, true, 7, "text", {}),
  )
  .map((message) => ({ do: "message", message }));

/** Ends of the turn that runs: a result with some changes, or any error. What is no answer at all ends nothing that one could rely on. */
const ends: fc.Arbitrary<FuzzStep> = fc
  .oneof(
    fc.array(mutation, { minLength: 1, maxLength: 2 }).map((list) => ({ result: list.reduce<unknown>(mutate, { stopReason: "end_turn" }) ?? null })),
    fc.tuple(fc.integer(), fc.string(), hostile).map(([code, message, data]) => ({ error: { code, message, data } })),
  )
  .map((answer) => ({ do: "message", message: { jsonrpc: "2.0", id: PROMPT, ...answer } }));

const some = (...one: readonly fc.Arbitrary<FuzzStep>[]): fc.Arbitrary<readonly FuzzStep[]> => fc.array(fc.oneof(...one), { minLength: 1, maxLength: 8 });

/** A few messages in a row, for an agent. */
export const agentMessages = some(...methodsFrom("client").map(messageFor), strays);
/** A few messages in a row, for a client: updates and questions of a turn, and its end. */
export const clientMessages = some(...methodsFrom("agent").map(messageFor), ...methodsFrom("agent").map(messageFor), strays, ends);
