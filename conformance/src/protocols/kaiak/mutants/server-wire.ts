import { isObject } from "@editwire/core";
import { inCharacters, inLatin1, withLineFeeds } from "../../../packs/encodings.js";
import { type CutFrame, encodeFrame, FrameCutter } from "../../../wire/framing.js";
import { type Json, type Reader, rightServer } from "../reference/server-behavior.js";
import { broken, patch, recoded, refusal, without, withoutMessages } from "./server-patch.js";

const isAnswer = (message: Json): boolean => !("method" in message);
const plain = ["configure.partial"];

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
export const wireMutants = broken({
  "logs-on-stdout": [
    "FRAME-001",
    { encode: (message) => Buffer.concat([Buffer.from("INFO working\n"), rightServer.encode(message)]) },
    { cases: plain },
  ],
  "ends-headers-with-line-feeds": ["FRAME-002", { encode: (message) => withLineFeeds(message) }, { cases: plain }],
  "names-another-charset": ["FRAME-003", { encode: (message) => inLatin1(message) }, { cases: plain }],
  "writes-lines": ["FRAME-002", { encode: (message) => encodeFrame(message, "line") }, { cases: plain }],
  "more-headers": [
    "FRAME-003",
    {
      encode(message) {
        const body = Buffer.from(JSON.stringify(message));
        return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\nX-Server: 1\r\n\r\n`), body]);
      },
    },
    { cases: plain },
  ],
  "counts-characters": [
    "FRAME-001",
    { encode: (message) => inCharacters(message) },
    { collateral: ["FRAME-008", "RPC-001"], cases: ["framing.bytes"] },
  ],
  "replaces-characters": [
    "FRAME-008",
    { outgoing: (message) => [JSON.parse(JSON.stringify(message).replace(/[^ -~]/g, "?")) as unknown] },
  ],
  "reads-chunks": [
    "FRAME-004",
    { reader: () => ({ push: (chunk) => new FrameCutter().push(chunk) }) },
    { collateral: ["FRAME-007"] },
  ],
  "reads-one-of-many": [
    "FRAME-004",
    { reader: cutter((inner, chunk) => inner.push(chunk).slice(0, 1)) },
    { cases: ["framing.many"] },
  ],
  "knows-no-content-type": ["FRAME-005", { reader: headers(/^content-length: ?\d+$/i) }],
  "case-matters": ["FRAME-005", { reader: headers(/Content-Length/) }, { cases: ["framing.header-lower-case"] }],
  "one-space-exactly": ["FRAME-005", { reader: headers(/Content-Length: /) }, { cases: ["framing.header-no-space"] }],
  "knows-no-line-feeds": [
    "FRAME-006",
    {
      reader() {
        const inner = new FrameCutter();
        return { push: (chunk) => (/\d\n\n/.test(Buffer.from(chunk).toString()) ? [] : inner.push(chunk)) };
      },
    },
  ],
  "waits-without-a-length": [
    "FRAME-007",
    { reader: cutter((inner, chunk) => inner.push(chunk).filter(({ ok }) => ok)) },
  ],
  "no-version": ["RPC-001", { outgoing: (message) => [without(message, "jsonrpc")] }, { cases: plain }],
  "codes-as-words": [
    "RPC-002",
    {
      outgoing: (message) => [
        message["error"] === undefined ? message : { ...message, error: { code: "not_found", message: "no" } },
      ],
    },
    { collateral: ["RPC-006"], cases: ["unknown-method.vendor"] },
  ],
  "errors-without-messages": [
    "RPC-002",
    { outgoing: withoutMessages },
    { collateral: ["RPC-006"], cases: ["unknown-method.vendor"] },
  ],
  "ids-as-strings": [
    "RPC-003",
    { outgoing: (message) => [isAnswer(message) ? { ...message, id: String(message["id"]) } : message] },
    { cases: plain },
  ],
  "every-answer-twice": [
    "RPC-004",
    { outgoing: (message) => (isAnswer(message) ? [message, message] : [message]) },
    { collateral: ["FIX-004", "FIX-005"], cases: plain },
  ],
  "own-code-for-methods": ["RPC-006", { unknownRequest: () => refusal(-32000) }, { cases: ["unknown-method.*"] }],
  "own-code-for-commands": ["RPC-006", { unknownCommand: () => refusal(-32014) }, { cases: ["unknown-command.*"] }],
  "answers-notifications": [
    "RPC-007",
    { unknownNotification: () => [{ jsonrpc: "2.0", id: null, error: refusal(-32601) }] },
  ],
  "dies-of-notifications": ["RPC-012", { unknownNotification: () => "die" }, { cases: ["notified.*"] }],
  "silent-about-bytes": ["RPC-008", silentAbout(-32700)],
  "own-code-for-bytes": ["RPC-008", recoded(-32700, -32600)],
  "own-code-for-no-requests": ["RPC-009", recoded(-32600, -32700)],
  "takes-batches": [
    "RPC-009",
    { notRpc: (message) => (Array.isArray(message) ? [] : rightServer.notRpc(message)) },
    { cases: ["rpc.not-batch"] },
  ],
  "internal-for-params": [
    "RPC-011",
    { paramsProblem: (method, params) => rightServer.paramsProblem(method, params) && refusal(-32603) },
    { collateral: ["CONFIG-003"] },
  ],
  "seed-code-for-params": ["RPC-011", recoded(-32602, -32011), { cases: ["malformed.kaiak-delete-session.*"] }],
  // What it takes it gives back.
  "looks-at-the-top-only": [
    "RPC-013",
    {
      paramsProblem(method, params) {
        const { configuration, session_id, incidents } = isObject(params) ? params : {};
        const has =
          method === "kaiak/configure"
            ? isObject(configuration)
            : typeof session_id === "string" && session_id !== "" && Array.isArray(incidents) && incidents.length > 0;
        return has ? undefined : rightServer.paramsProblem(method, params);
      },
      directoryProblem: () => undefined,
    },
    {
      collateral: ["SCHEMA-kaiak/configure:result"],
      cases: ["malformed.kaiak-configure.*", "malformed.kaiak-generate-fix.*"],
    },
  ],
  "commands-without-arguments": [
    "RPC-014",
    { carrierProblem: (params) => rightServer.carrierProblem(params) && refusal(-32603) },
  ],
  "unnamed-commands-are-unknown": [
    "RPC-014",
    {
      carrierProblem: (params) =>
        typeof params["command"] === "string" ? rightServer.carrierProblem(params) : refusal(-32601),
    },
    { cases: ["carrier.*"] },
  ],
  "falls-silent-at-bytes": ["RPC-012", fallsSilent, { collateral: ["RPC-008"], cases: ["rpc.not-json"] }],
  "knows-no-language-clients": ["LIFE-001", { lspResult: () => undefined }],
  "stays-after-input": ["LIFE-002", { endsWithInput: false }],
});

/** Reads nothing after bytes that are not a message. */
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
