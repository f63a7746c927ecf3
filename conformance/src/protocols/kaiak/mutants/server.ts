import { without } from "../../../packs/rewrites.js";
import { benignForms } from "../../../packs/benign.js";
import { fits } from "../../../core/talk/judge.js";
import { mutant, type Mutant, type Switches } from "../../../core/mutant.js";
import { breakages } from "../../../generate/broken.js";
import { atOnceMutants } from "../../../packs/at-once.js";
import { idMutants } from "../../../packs/mutants.js";
import { GIVES_UP, readerOf, takingMutants } from "../../../packs/taking.js";
import { accept } from "../accept.js";
import { envelope } from "../envelope.js";
import { encodeFrame } from "../../../wire/framing.js";
import { type Json, rightServer, type ServerBehavior } from "../reference/server-behavior.js";
import { sampleParams, sampleResult } from "../samples.js";
import { serverFacts } from "../server-facts.js";
import { table } from "../table.js";
import { broken, answered, benign, content, patch, sent } from "./server-patch.js";
import { runMutants } from "./server-run.js";
import { sessionMutants } from "./server-session.js";
import { wireMutants } from "./server-wire.js";

/** The case in which each message is sent. */
const shown: Readonly<Record<string, string>> = {
  "kaiak/stream/progress": "fix.new-session",
  "kaiak/stream/ai_response": "fix.new-session",
  "kaiak/stream/system": "fix.new-session",
  "kaiak/stream/tool_call": "fix.tool",
  "kaiak/stream/user_interaction": "ask.respond",
  "kaiak/stream/file_modification": "fix.modification",
  "kaiak/stream/error": "fix.ends-error",
  "kaiak/configure": "configure.whole",
  "kaiak/generate_fix": "fix.new-session",
  "kaiak/delete_session": "delete.known",
  "kaiak/interaction/respond": "ask.respond",
};

/** Other requirements that a message may seem to violate when it lacks a field. */
const blurred = [
  "FIX-001",
  "FIX-003",
  "FIX-004",
  "FIX-005",
  "FIX-006",
  "FIX-007",
  "FIX-008",
  "FIX-009",
  "FIX-018",
].concat(["FIX-017", "ASK-001", "CONFIG-001", "CONFIG-005", "DELETE-001", "DELETE-002"]);

const sessionOf = ({ params }: Json): unknown => (params as Json)["session_id"];

/** Sends a notification as a request. */
const withId = (method: string) => (): Partial<ServerBehavior> => {
  let count = 0;
  return patch({
    outgoing: (message) => [message["method"] === method ? { ...message, id: `note-${++count}` } : message],
  });
};

/**
 * Servers that leave out what one message must have, or write it in another type: every field that the schema needs.
 */
const formMutants: readonly Mutant[] = Object.entries(shown).flatMap(([method, one]) => {
  const isNote = method.startsWith("kaiak/stream/");
  const part = isNote ? "params" : "result";
  const isValid = (value: unknown): boolean => fits(table, method, part, accept(method, part, value)) === true;
  const wire = (what: string, patch: Switches<ServerBehavior>): readonly Mutant[] =>
    broken({
      [`wire-${method.replace(/^kaiak\/(stream\/)?/, "").replace("/", "-")}-${what}`]: [
        `SCHEMA-${method}:${part}`,
        patch,
        { collateral: blurred, cases: [one] },
      ],
    });
  return [
    ...breakages(isValid, isNote ? sampleParams(method) : sampleResult(method))
      .filter(({ structured }) => structured || !isNote)
      .flatMap(({ name, apply }) =>
        wire(name, isNote ? sent(method.slice("kaiak/stream/".length), apply) : answered(method, apply)),
      ),
    ...(isNote ? wire("with-an-id", withId(method)) : []),
  ];
});

/** Servers that are as right as the reference in a way of their own: nothing may be held against them. */
const variants: readonly Mutant[] = [
  ...benignForms("kaiak.server"),
  ...benign({
    heartbeats: {
      outgoing: (message) =>
        message["method"] === "kaiak/stream/progress"
          ? [message, { jsonrpc: "2.0", method: "kaiak/stream/heartbeat", params: { session_id: sessionOf(message) } }]
          : [message],
    },
    "own-fields": {
      outgoing: (message) => [
        { ...message, ...("params" in message && { params: { ...(message["params"] as object), "x-vendor": 1 } }) },
      ],
      result: (_method, result) => (result === null ? null : { ...(result as Json), "x-vendor": [1] }),
    },
    bytes: {
      encode(message) {
        const ascii = JSON.stringify(message).replace(
          /[\u0080-\uffff]/g,
          (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
        );
        const type = "application/vscode-jsonrpc; charset=utf-8";
        return Buffer.from(`Content-Length: ${ascii.length}\r\nContent-Type: ${type}\r\n\r\n${ascii}`);
      },
      write: (bytes, put) => [bytes.subarray(0, 7), bytes.subarray(7)].forEach(put),
    },
    thinking: {
      notes: (kind, one) =>
        kind === "ai_response"
          ? [
              ["thinking", { text: "hm" }],
              [kind, one],
            ]
          : [[kind, one]],
    },
    "own-notifications": {
      outgoing: (message) =>
        message["method"] === "kaiak/stream/progress"
          ? [{ jsonrpc: "2.0", method: "window/logMessage", params: { type: 3, message: "working" } }, message]
          : [message],
    },
    "own-ids": { requestId: (count) => `11111111-1111-4111-8777-${String(count).padStart(12, "0")}` },
    times: {
      encode(message) {
        const late = JSON.stringify(message).replace(/(T\d\d:\d\d:\d\d)Z"/g, '$1.123456789+00:00"');
        return encodeFrame(JSON.parse(late) as unknown, "header");
      },
    },
    sparse: {
      notes: (kind, one) => [
        [kind, without(one, "confidence", "tokens", "diff", "risk_level", "component", "timeout")],
      ],
    },
    tombstones: tombstones,
    "ends-folders-with-a-slash": {
      applied(configuration) {
        const { workspace, ...applied } = rightServer.applied(configuration);
        const { working_dir, ...others } = workspace as Json;
        return { ...applied, workspace: { ...others, working_dir: `${String(working_dir)}/` } };
      },
    },
    "leaves-out-what-is-empty": {
      applied(configuration) {
        const { tools, session, ...applied } = rightServer.applied(configuration);
        return {
          ...applied,
          tools: without(tools as Json, "custom_tools"),
          session: without(session as Json, "retry_config"),
        };
      },
    },
    "nulls-for-what-is-empty": {
      applied(configuration) {
        const { tools, model, ...applied } = rightServer.applied(configuration);
        return {
          ...applied,
          tools: { ...(tools as Json), custom_tools: null },
          model: { ...(model as Json), base: null },
        };
      },
    },
    "late-is-cancelled": { status: (how) => (how === "late" ? "cancelled" : how) },
  }),
  mutant("kaiak.server/benign-closes-at-noise", {
    violates: [],
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
    patch: (take) =>
      patch({
        reader: readerOf((message) => take(commanded(message))),
        notJson: (problem) => (problem === GIVES_UP ? "die" : rightServer.notJson()),
      }),
  }),
  ...atOnceMutants(serverFacts, (outgoing) => patch({ outgoing }), ["KAIAK-CONFIG-005"]),
  ...variants,
];
