import { benignForms } from "../../../packs/benign.js";
import { fits } from "../../../core/judge.js";
import { mutant, type Mutant } from "../../../core/mutant.js";
import { breakages } from "../../../generate/broken.js";
import { atOnceMutants } from "../../../packs/at-once.js";
import { idMutants } from "../../../packs/mutants.js";
import { readerOf, takingMutants } from "../../../packs/taking.js";
import { accept } from "../accept.js";
import { envelope } from "../envelope.js";
import { schemaRequirement } from "../monitors/all.js";
import { encodeFrame } from "../../../wire/framing.js";
import type { Json } from "../reference/server-behavior.js";
import { sampleParams, sampleResult } from "../samples.js";
import { serverFacts } from "../server-facts.js";
import { table } from "../table.js";
import { answered, content, patch, sent, without } from "./server-patch.js";
import { runMutants } from "./server-run.js";
import { sessionMutants } from "./server-session.js";
import { wireMutants } from "./server-wire.js";

/** The case in which each message is sent. */
const shown: Readonly<Record<string, string>> = {
  "kaiak/stream/progress": "kaiak.server.fix.new-session",
  "kaiak/stream/ai_response": "kaiak.server.fix.new-session",
  "kaiak/stream/system": "kaiak.server.fix.new-session",
  "kaiak/stream/tool_call": "kaiak.server.fix.tool",
  "kaiak/stream/user_interaction": "kaiak.server.ask.respond",
  "kaiak/stream/file_modification": "kaiak.server.fix.modification",
  "kaiak/stream/error": "kaiak.server.fix.ends-error",
  "kaiak/configure": "kaiak.server.configure.whole",
  "kaiak/generate_fix": "kaiak.server.fix.new-session",
  "kaiak/delete_session": "kaiak.server.delete.known",
  "kaiak/interaction/respond": "kaiak.server.ask.respond",
};

/** What a message that lacks something may look like to other checks. */
const blurred = ["FIX-001", "FIX-003", "FIX-004", "FIX-005", "FIX-006", "FIX-007", "FIX-008", "FIX-009", "FIX-018"]
  .concat(["FIX-017", "ASK-001", "CONFIG-001", "CONFIG-005", "DELETE-001", "DELETE-002"])
  .map((id) => `KAIAK-${id}`);

/** Sends a notification as a request. */
const withId = (method: string, one: string): Mutant =>
  mutant(`kaiak.server/wire-${method.slice("kaiak/stream/".length)}-with-an-id`, {
    violates: [schemaRequirement(method, "params")],
    collateral: blurred,
    cases: [one],
    patch: () => {
      let count = 0;
      return patch({
        outgoing: (message) => [message["method"] === method ? { ...message, id: `note-${++count}` } : message],
      });
    },
  });

/**
 * Servers that leave out what one message must have, or write it in another type: every field that the schema needs.
 */
const formMutants: readonly Mutant[] = Object.entries(shown).flatMap(([method, one]) => {
  const isNote = method.startsWith("kaiak/stream/");
  const part = isNote ? "params" : "result";
  const isValid = (value: unknown): boolean => fits(table, method, part, accept(method, part, value)) === true;
  const sample = isNote ? sampleParams(method) : sampleResult(method);
  const broken = breakages(isValid, sample)
    .filter(({ structured }) => structured || !isNote)
    .map(({ name, apply }) =>
      mutant(`kaiak.server/wire-${method.replace(/^kaiak\/(stream\/)?/, "").replace("/", "-")}-${name}`, {
        violates: [schemaRequirement(method, part)],
        collateral: blurred,
        cases: [one],
        patch: isNote ? sent(method.slice("kaiak/stream/".length), apply) : answered(method, apply),
      }),
    );
  return isNote ? [...broken, withId(method, one)] : broken;
});

const everything = { violates: [], cases: ["*"] } as const;

/** Servers that are as right as the reference in a way of their own: nothing may be held against them. */
const benign: readonly Mutant[] = [
  ...benignForms("kaiak.server"),
  mutant("kaiak.server/benign-own-fields", {
    ...everything,
    patch: patch({
      outgoing: (message) => [
        { ...message, ...("params" in message && { params: { ...(message["params"] as object), "x-vendor": 1 } }) },
      ],
      result: (_method, result) => (result === null ? null : { ...(result as Json), "x-vendor": [1] }),
    }),
  }),
  mutant("kaiak.server/benign-bytes", {
    ...everything,
    patch: patch({
      encode(message) {
        const ascii = JSON.stringify(message).replace(
          /[\u0080-\uffff]/g,
          (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
        );
        const type = "application/vscode-jsonrpc; charset=utf-8";
        return Buffer.from(`Content-Length: ${ascii.length}\r\nContent-Type: ${type}\r\n\r\n${ascii}`);
      },
      write: (bytes, put) => [bytes.subarray(0, 7), bytes.subarray(7)].forEach(put),
    }),
  }),
  mutant("kaiak.server/benign-thinking", {
    ...everything,
    patch: patch({
      notes: (kind, one) =>
        kind === "ai_response"
          ? [
              ["thinking", { text: "hm" }],
              [kind, one],
            ]
          : [[kind, one]],
    }),
  }),
  mutant("kaiak.server/benign-own-notifications", {
    ...everything,
    patch: patch({
      outgoing: (message) =>
        message["method"] === "kaiak/stream/progress"
          ? [{ jsonrpc: "2.0", method: "window/logMessage", params: { type: 3, message: "working" } }, message]
          : [message],
    }),
  }),
  mutant("kaiak.server/benign-own-ids", {
    ...everything,
    patch: patch({ requestId: (count) => `11111111-1111-4111-8777-${String(count).padStart(12, "0")}` }),
  }),
  mutant("kaiak.server/benign-times", {
    ...everything,
    patch: patch({
      encode(message) {
        const late = JSON.stringify(message).replace(/(T\d\d:\d\d:\d\d)Z"/g, '$1.123456789+00:00"');
        return encodeFrame(JSON.parse(late) as unknown, "header");
      },
    }),
  }),
  mutant("kaiak.server/benign-sparse", {
    ...everything,
    patch: patch({
      notes: (kind, one) => [
        [kind, without(one, "confidence", "tokens", "diff", "risk_level", "component", "timeout")],
      ],
    }),
  }),
  mutant("kaiak.server/benign-tombstones", { ...everything, patch: () => tombstones() }),
  mutant("kaiak.server/benign-late-is-cancelled", {
    ...everything,
    patch: patch({ status: (how) => (how === "late" ? "cancelled" : how) }),
  }),
  mutant("kaiak.server/benign-closes-at-noise", {
    ...everything,
    cases: ["kaiak.server.framing.length-*", "kaiak.server.fix.*"],
    patch: content("system", () => undefined),
  }),
];

/** Refuses every session that was deleted with the code for it. */
function tombstones(): ReturnType<typeof patch> {
  const deleted = new Set<unknown>();
  return patch({
    result(method, result) {
      if (method === "kaiak/delete_session") deleted.add((result as Json)["session_id"]);
      return result;
    },
    unknownSession: (id) => (deleted.has(id) ? { code: -32004, message: "Session already terminated" } : undefined),
  });
}

/** A command as the request that it carries. */
function commanded(message: Json): Json {
  const is = envelope.classify(message);
  return is.kind === "request" ? { ...message, method: is.method, params: is.params } : message;
}

/** Servers that are broken in one way each, and some that are not. */
export const serverMutants: readonly Mutant[] = [
  ...wireMutants,
  ...runMutants,
  ...sessionMutants,
  ...formMutants,
  ...idMutants(serverFacts, "KAIAK-RPC-003", (outgoing) => patch({ outgoing })),
  ...takingMutants({
    answers: serverFacts,
    patch: (take) => patch({ reader: readerOf((message) => take(commanded(message))), notJson: () => "die" }),
  }),
  ...atOnceMutants(serverFacts, (outgoing) => patch({ outgoing }), ["KAIAK-CONFIG-005"]),
  ...benign,
];
