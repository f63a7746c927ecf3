import { isObject } from "@editwire/core";
import { inCharacters, inLatin1, withLineFeeds } from "../../../packs/encodings.js";
import { mutant } from "../../../core/mutant.js";
import { type CutFrame, encodeFrame, FrameCutter } from "../../../wire/framing.js";
import { type Json, type Reader, rightServer } from "../reference/server-behavior.js";
import { patch, recoded, refusal, without, withoutMessages } from "./server-patch.js";

const isAnswer = (message: Json): boolean => !("method" in message);
const plain = ["kaiak.server.configure.partial"];

/** A reader that takes the reference's cuts and leaves some out. */
const cutter = (change: (cutter: FrameCutter, chunk: Uint8Array) => readonly CutFrame[]) => (): Reader => {
  const inner = new FrameCutter();
  return { push: (chunk) => change(inner, chunk) };
};
const headers = (wanted: RegExp) =>
  cutter((inner, chunk) => inner.push(chunk).filter((cut) => !cut.ok || wanted.test(cut.frame.detail ?? "")));

/** Answers an error in the place of another one. */
const silentAbout = (code: number) =>
  patch({
    outgoing: ({ error, ...rest }) =>
      isObject(error) && error["code"] === code ? [] : [error === undefined ? rest : { ...rest, error }],
  });

/** What servers get wrong with bytes, with messages, and with the beginning and end of a connection. */
export const wireMutants = [
  mutant("kaiak.server/logs-on-stdout", {
    violates: ["KAIAK-FRAME-001"],
    cases: plain,
    patch: patch({ encode: (message) => Buffer.concat([Buffer.from("INFO working\n"), rightServer.encode(message)]) }),
  }),
  mutant("kaiak.server/ends-headers-with-line-feeds", {
    violates: ["KAIAK-FRAME-002"],
    cases: plain,
    patch: patch({ encode: (message) => withLineFeeds(message) }),
  }),
  mutant("kaiak.server/names-another-charset", {
    violates: ["KAIAK-FRAME-003"],
    cases: plain,
    patch: patch({ encode: (message) => inLatin1(message) }),
  }),
  mutant("kaiak.server/writes-lines", {
    violates: ["KAIAK-FRAME-002"],
    cases: plain,
    patch: patch({ encode: (message) => encodeFrame(message, "line") }),
  }),
  mutant("kaiak.server/more-headers", {
    violates: ["KAIAK-FRAME-003"],
    cases: plain,
    patch: patch({
      encode(message) {
        const body = Buffer.from(JSON.stringify(message));
        return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\nX-Server: 1\r\n\r\n`), body]);
      },
    }),
  }),
  mutant("kaiak.server/counts-characters", {
    violates: ["KAIAK-FRAME-001"],
    collateral: ["KAIAK-FRAME-008", "KAIAK-RPC-001"],
    cases: ["kaiak.server.framing.bytes"],
    patch: patch({ encode: (message) => inCharacters(message) }),
  }),
  mutant("kaiak.server/replaces-characters", {
    violates: ["KAIAK-FRAME-008"],
    patch: patch({ outgoing: (message) => [JSON.parse(JSON.stringify(message).replace(/[^ -~]/g, "?")) as unknown] }),
  }),
  mutant("kaiak.server/reads-chunks", {
    violates: ["KAIAK-FRAME-004"],
    collateral: ["KAIAK-FRAME-007"],
    patch: patch({ reader: () => ({ push: (chunk) => new FrameCutter().push(chunk) }) }),
  }),
  mutant("kaiak.server/reads-one-of-many", {
    violates: ["KAIAK-FRAME-004"],
    cases: ["kaiak.server.framing.many"],
    patch: patch({ reader: cutter((inner, chunk) => inner.push(chunk).slice(0, 1)) }),
  }),
  mutant("kaiak.server/knows-no-content-type", {
    violates: ["KAIAK-FRAME-005"],
    patch: patch({ reader: headers(/^content-length: ?\d+$/i) }),
  }),
  mutant("kaiak.server/case-matters", {
    violates: ["KAIAK-FRAME-005"],
    cases: ["kaiak.server.framing.header-lower-case"],
    patch: patch({ reader: headers(/Content-Length/) }),
  }),
  mutant("kaiak.server/one-space-exactly", {
    violates: ["KAIAK-FRAME-005"],
    cases: ["kaiak.server.framing.header-no-space"],
    patch: patch({ reader: headers(/Content-Length: /) }),
  }),
  mutant("kaiak.server/knows-no-line-feeds", {
    violates: ["KAIAK-FRAME-006"],
    patch: patch({
      reader() {
        const inner = new FrameCutter();
        return { push: (chunk) => (/\d\n\n/.test(Buffer.from(chunk).toString()) ? [] : inner.push(chunk)) };
      },
    }),
  }),
  mutant("kaiak.server/waits-without-a-length", {
    violates: ["KAIAK-FRAME-007"],
    patch: patch({ reader: cutter((inner, chunk) => inner.push(chunk).filter(({ ok }) => ok)) }),
  }),

  mutant("kaiak.server/no-version", {
    violates: ["KAIAK-RPC-001"],
    cases: plain,
    patch: patch({ outgoing: (message) => [without(message, "jsonrpc")] }),
  }),
  mutant("kaiak.server/codes-as-words", {
    violates: ["KAIAK-RPC-002"],
    collateral: ["KAIAK-RPC-006"],
    cases: ["kaiak.server.unknown-method.vendor"],
    patch: patch({
      outgoing: (message) => [
        message["error"] === undefined ? message : { ...message, error: { code: "not_found", message: "no" } },
      ],
    }),
  }),
  mutant("kaiak.server/errors-without-messages", {
    violates: ["KAIAK-RPC-002"],
    collateral: ["KAIAK-RPC-006"],
    cases: ["kaiak.server.unknown-method.vendor"],
    patch: patch({ outgoing: withoutMessages }),
  }),
  mutant("kaiak.server/ids-as-strings", {
    violates: ["KAIAK-RPC-003"],
    cases: plain,
    patch: patch({ outgoing: (message) => [isAnswer(message) ? { ...message, id: String(message["id"]) } : message] }),
  }),
  mutant("kaiak.server/every-answer-twice", {
    violates: ["KAIAK-RPC-004"],
    collateral: ["KAIAK-FIX-004", "KAIAK-FIX-005"],
    cases: plain,
    patch: patch({ outgoing: (message) => (isAnswer(message) ? [message, message] : [message]) }),
  }),
  mutant("kaiak.server/own-code-for-methods", {
    violates: ["KAIAK-RPC-006"],
    cases: ["kaiak.server.unknown-method.*"],
    patch: patch({ unknownRequest: () => refusal(-32000) }),
  }),
  mutant("kaiak.server/own-code-for-commands", {
    violates: ["KAIAK-RPC-006"],
    cases: ["kaiak.server.unknown-command.*"],
    patch: patch({ unknownCommand: () => refusal(-32014) }),
  }),
  mutant("kaiak.server/answers-notifications", {
    violates: ["KAIAK-RPC-007"],
    patch: patch({ unknownNotification: () => [{ jsonrpc: "2.0", id: null, error: refusal(-32601) }] }),
  }),
  mutant("kaiak.server/dies-of-notifications", {
    violates: ["KAIAK-RPC-012"],
    cases: ["kaiak.server.notified.*"],
    patch: patch({ unknownNotification: () => "die" }),
  }),
  mutant("kaiak.server/silent-about-bytes", {
    violates: ["KAIAK-RPC-008"],
    patch: silentAbout(-32700),
  }),
  mutant("kaiak.server/own-code-for-bytes", { violates: ["KAIAK-RPC-008"], patch: recoded(-32700, -32600) }),
  mutant("kaiak.server/own-code-for-no-requests", { violates: ["KAIAK-RPC-009"], patch: recoded(-32600, -32700) }),
  mutant("kaiak.server/takes-batches", {
    violates: ["KAIAK-RPC-009"],
    cases: ["kaiak.server.rpc.not-batch"],
    patch: patch({ notRpc: (message) => (Array.isArray(message) ? [] : rightServer.notRpc(message)) }),
  }),
  mutant("kaiak.server/internal-for-params", {
    violates: ["KAIAK-RPC-011"],
    collateral: ["KAIAK-CONFIG-003"],
    patch: patch({ paramsProblem: (method, params) => rightServer.paramsProblem(method, params) && refusal(-32603) }),
  }),
  mutant("kaiak.server/seed-code-for-params", {
    violates: ["KAIAK-RPC-011"],
    cases: ["kaiak.server.malformed.kaiak-delete-session.*"],
    patch: recoded(-32602, -32011),
  }),
  mutant("kaiak.server/looks-at-the-top-only", {
    violates: ["KAIAK-RPC-013"],
    cases: ["kaiak.server.malformed.kaiak-configure.*", "kaiak.server.malformed.kaiak-generate-fix.*"],
    patch: patch({
      paramsProblem(method, params) {
        const { configuration, session_id, incidents } = isObject(params) ? params : {};
        const has =
          method === "kaiak/configure"
            ? isObject(configuration)
            : typeof session_id === "string" && session_id !== "" && Array.isArray(incidents) && incidents.length > 0;
        return has ? undefined : rightServer.paramsProblem(method, params);
      },
      directoryProblem: () => undefined,
    }),
    // What it takes it gives back.
    collateral: ["KAIAK-SCHEMA-kaiak/configure:result"],
  }),
  mutant("kaiak.server/commands-without-arguments", {
    violates: ["KAIAK-RPC-014"],
    patch: patch({ carrierProblem: (params) => rightServer.carrierProblem(params) && refusal(-32603) }),
  }),
  mutant("kaiak.server/unnamed-commands-are-unknown", {
    violates: ["KAIAK-RPC-014"],
    cases: ["kaiak.server.carrier.*"],
    patch: patch({
      carrierProblem: (params) =>
        typeof params["command"] === "string" ? rightServer.carrierProblem(params) : refusal(-32601),
    }),
  }),
  mutant("kaiak.server/falls-silent-at-bytes", {
    violates: ["KAIAK-RPC-012"],
    collateral: ["KAIAK-RPC-008"],
    cases: ["kaiak.server.rpc.not-json"],
    patch: () => fallsSilent(),
  }),
  mutant("kaiak.server/knows-no-language-clients", {
    violates: ["KAIAK-LIFE-001"],
    patch: patch({ lspResult: () => undefined }),
  }),
  mutant("kaiak.server/stays-after-input", { violates: ["KAIAK-LIFE-002"], patch: patch({ endsWithInput: false }) }),
];

/** Reads nothing after bytes that are no message. */
function fallsSilent(): Partial<typeof rightServer> {
  let silent = false;
  return {
    notJson() {
      silent = true;
      return [];
    },
    outgoing: (message) => (silent ? [] : [message]),
  };
}
