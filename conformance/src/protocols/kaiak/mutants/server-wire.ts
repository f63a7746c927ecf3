import { isObject } from "@editwire/core";
import { beforeLineEnd, behindLogLine, inCharacters, inLatin1, withLineFeeds } from "../../../packs/encodings.js";
import { headersLike, oneOfAChunk, reading, wholeChunks } from "../../../packs/readers.js";
import { wrong } from "../../../packs/rewrites.js";
import { FrameCutter } from "../../../wire/framing.js";
import { rightServer } from "../reference/server-behavior.js";
import { broken, patch, recoded, refusal } from "./server-patch.js";

const plain = ["configure.partial"];

/** Answers an error in the place of another one. */
const silentAbout = (code: number) =>
  patch({
    outgoing: ({ error, ...rest }) =>
      isObject(error) && error["code"] === code ? [] : [error === undefined ? rest : { ...rest, error }],
  });

/** Faults of servers with bytes, with messages, and with the beginning and end of a connection. */
export const wireMutants = broken({
  "logs-on-stdout": ["FRAME-001", { encode: behindLogLine }, { cases: plain }],
  "ends-messages-with-lines": ["FRAME-001", { encode: beforeLineEnd }, { cases: ["fix.*"] }],
  "ends-headers-with-line-feeds": ["FRAME-002", { encode: withLineFeeds }, { cases: plain }],
  "names-another-charset": ["FRAME-003", { encode: inLatin1 }, { cases: plain }],
  "counts-characters": [
    "FRAME-001",
    { encode: inCharacters },
    { collateral: ["FRAME-008", "RPC-001"], cases: ["framing.bytes"] },
  ],
  "replaces-characters": ["FRAME-008", wrong.onlyAscii],
  "reads-chunks": ["FRAME-004", { reader: wholeChunks }, { collateral: ["FRAME-007"] }],
  "reads-one-of-many": ["FRAME-004", { reader: oneOfAChunk }, { cases: ["framing.many"] }],
  "knows-no-content-type": ["FRAME-005", { reader: headersLike(/^content-length: ?\d+$/i) }],
  "case-matters": ["FRAME-005", { reader: headersLike(/Content-Length/) }, { cases: ["framing.header-lower-case"] }],
  "one-space-exactly": [
    "FRAME-005",
    { reader: headersLike(/Content-Length: /) },
    { cases: ["framing.header-no-space"] },
  ],
  "knows-no-line-feeds": [
    "FRAME-006",
    {
      reader() {
        const inner = new FrameCutter();
        return { push: (chunk) => (/\d\n\n/.test(Buffer.from(chunk).toString()) ? [] : inner.push(chunk)) };
      },
    },
  ],
  "waits-without-a-length": ["FRAME-007", { reader: reading((cuts) => cuts.filter(({ ok }) => ok)) }],
  "no-version": ["RPC-001", wrong.noVersion, { cases: plain }],
  "codes-as-words": ["RPC-002", wrong.codesAsWords, { collateral: ["RPC-006"], cases: ["unknown-method.vendor"] }],
  "errors-without-messages": [
    "RPC-002",
    wrong.errorsWithoutMessages,
    { collateral: ["RPC-006"], cases: ["unknown-method.vendor"] },
  ],
  "ids-as-strings": ["RPC-003", wrong.idsAsStrings, { cases: plain }],
  "every-answer-twice": ["RPC-004", wrong.answersTwice, { collateral: ["FIX-004", "FIX-005"], cases: plain }],
  "own-code-for-methods": ["RPC-006", { unknownRequest: () => refusal(-32000) }, { cases: ["unknown-method.*"] }],
  "own-code-for-commands": ["RPC-006", { unknownCommand: () => refusal(-32014) }, { cases: ["unknown-command.*"] }],
  "answers-notifications": [
    "RPC-007",
    { unknownNotification: () => [{ jsonrpc: "2.0", id: null, error: refusal(-32601) }] },
  ],
  "dies-of-notifications": ["RPC-012", { unknownNotification: () => "die" }, { cases: ["notified.*"] }],
  "silent-about-bytes": ["RPC-008", silentAbout(-32700)],
  "own-code-for-no-requests": ["RPC-009", recoded(-32600, -32700)],
  "internal-for-params": [
    "RPC-011",
    { paramsProblem: (method, params) => rightServer.paramsProblem(method, params) && refusal(-32603) },
    { collateral: ["CONFIG-003"] },
  ],
  "seed-code-for-params": ["RPC-011", recoded(-32602, -32011), { cases: ["malformed.kaiak-delete-session.*"] }],
  // It returns the configuration that it accepted.
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
