import { isObject } from "@editwire/core";
import { beforeLineEnd, behindLogLine, withLineFeeds } from "../../../../packs/encodings.js";
import { encodeFrame } from "../../../../wire/framing.js";
import { type Json, rightAgent } from "../../reference/agent-behavior.js";
import { framedChunkReader, headerReader } from "../readers.js";
import { reading } from "../../../../packs/readers.js";
import { isRequest, rewrite, wrong } from "../../../../packs/rewrites.js";
import { broken, each, patch } from "./patch.js";

const framed = (text: string, length: number): Uint8Array => Buffer.from(`Content-Length: ${length}\r\n\r\n${text}`);

/** Headers that a narrow reader knows, and what it misses. */
const headers: readonly (readonly [string, RegExp])[] = [
  ["header-in-one-case", /^Content-Length: ?(\d+)\r?\n(?:[^\r\n]+\r?\n)*\r?\n/],
  ["header-with-crlf", /^content-length: ?(\d+)\r\n(?:[^\r\n]+\r\n)*\r\n/i],
  ["header-with-a-space", /^content-length: (\d+)\r?\n(?:[^\r\n]+\r?\n)*\r?\n/i],
  ["header-of-one-line", /^content-length: ?(\d+)\r?\n\r?\n/i],
];
const everyHeader = /^content-length: ?(\d+)\r?\n(?:[^\r\n]+\r?\n)*\r?\n/i;

const framingMutants = broken({
  "banner-on-stdout": ["FRAME-001", { encode: behindLogLine }],
  "indented-json": ["FRAME-001", { encode: (message) => Buffer.from(`${JSON.stringify(message, null, 2)}\n`) }],
  "byte-order-mark": [
    "FRAME-001",
    { encode: (message, framing) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), encodeFrame(message, framing)]) },
  ],
  "latin-1": [
    "FRAME-001",
    {
      encode: (message, framing) => Buffer.from(Buffer.from(encodeFrame(message, framing)).toString("utf8"), "latin1"),
    },
    { collateral: ["FRAME-004"], cases: ["framing.bytes"] },
  ],
  "ends-headers-with-line-feeds": ["FRAME-001", { encode: withLineFeeds }, { cases: ["framing.*"] }],
  "line-ends-behind-bodies": ["FRAME-001", { encode: beforeLineEnd }, { cases: ["framing.*"] }],
  "writes-length-in-characters": [
    ["FRAME-001", "FRAME-004"],
    {
      encode(message, framing) {
        const text = JSON.stringify(message);
        return framing === "line" ? encodeFrame(message, framing) : framed(text, text.length);
      },
    },
    { cases: ["framing.bytes"] },
  ],
  "reads-length-in-characters": ["FRAME-004", { reader: () => headerReader(everyHeader, "utf8") }],
  "reads-lines-only": [
    "FRAME-002",
    { reader: reading((cuts) => cuts.filter((cut) => !cut.ok || cut.frame.framing !== "header")) },
  ],
  "answers-in-lines": ["FRAME-002", { framing: () => "line" }],
  "updates-in-lines": [
    "FRAME-002",
    {
      encode: (message, framing) =>
        encodeFrame(message, (message as Json)["method"] === "session/update" ? "line" : framing),
    },
    { cases: ["framing.bytes"] },
  ],
  "first-answer-in-lines": [
    "FRAME-002",
    () => {
      let answered = false;
      return patch({
        framing(first) {
          const framing = answered ? first : "line";
          answered = true;
          return framing;
        },
      });
    },
  ],
  "answers-with-headers": [["FRAME-003", "FRAME-007"], { framing: () => "header" }],
  "updates-with-headers": [
    "FRAME-003",
    {
      encode: (message, framing) =>
        rightAgent.encode(message, isObject(message) && message["method"] === "session/update" ? "header" : framing),
    },
    { cases: ["framing.line-first"] },
  ],
  "one-chunk-is-one-framed-message": [
    "FRAME-005",
    { reader: () => framedChunkReader() },
    { cases: ["framing.split-*"] },
  ],
  "follows-the-client": ["FRAME-007", { framing: (_first, latest) => latest }],
  ...each(headers, ([name, header]) => ({ [name]: ["FRAME-006", { reader: () => headerReader(header, "latin1") }] })),
});

const silent = { notJson: () => [], notRpc: () => [] };

const rpcMutants = broken({
  "ids-as-strings": ["RPC-003", wrong.idsAsStrings],
  "every-answer-twice": ["RPC-004", wrong.answersTwice],
  "errors-behind-results": [
    "RPC-004",
    {
      outgoing: (message) =>
        "result" in message
          ? [message, { jsonrpc: "2.0", id: message["id"], error: { code: -32603, message: "no" } }]
          : [message],
    },
  ],
  "silent-about-bad-json": ["RPC-008", { notJson: silent.notJson }],
  "other-code-for-bad-json": [
    "RPC-008",
    { notJson: () => [{ jsonrpc: "2.0", id: null, error: { code: -32600, message: "no" } }] },
  ],
  "silent-about-other-json": ["RPC-010", { notRpc: silent.notRpc }],
  "other-code-for-other-json": ["RPC-010", { notRpc: () => rightAgent.notJson("") }],
  "takes-messages-without-version": [
    "RPC-010",
    {
      notRpc: (message) =>
        (message as Json)["id"] === "no-version"
          ? [{ jsonrpc: "2.0", id: "no-version", result: {} }]
          : rightAgent.notRpc(message),
    },
  ],
  "takes-batches": [
    "RPC-001",
    {
      notRpc: (message) =>
        Array.isArray(message) ? [[...rightAgent.notRpc(message)] as unknown as Json] : rightAgent.notRpc(message),
    },
    { collateral: ["RPC-010"], cases: ["rpc.no-request-1"] },
  ],
  "asks-with-a-null-id": ["RPC-001", rewrite(isRequest, (message) => ({ ...message, id: null }))],
});

/** Faults of agents in bytes and JSON-RPC. */
export const agentWireMutants = [...framingMutants, ...rpcMutants];
