import { isObject } from "@editwire/core";
import { beforeLineEnd, behindLogLine } from "../../../../packs/encodings.js";
import { type Json, rightAgent } from "../../reference/agent-behavior.js";
import { framedChunkReader, headerReader } from "../readers.js";
import { wrong } from "../../../../packs/rewrites.js";
import { broken, each } from "./patch.js";

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
  "line-ends-behind-bodies": ["FRAME-001", { encode: beforeLineEnd }, { cases: ["framing.*"] }],
  "reads-length-in-characters": ["FRAME-004", { reader: () => headerReader(everyHeader, "utf8") }],
  "answers-in-lines": ["FRAME-002", { framing: () => "line" }],
  "updates-with-headers": [
    "FRAME-003",
    {
      encode: (message, framing) =>
        rightAgent.encode(message, isObject(message) && message["method"] === "session/update" ? "header" : framing),
    },
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
  "silent-about-bad-json": ["RPC-008", { notJson: silent.notJson }],
  "other-code-for-other-json": ["RPC-010", { notRpc: () => rightAgent.notJson("") }],
  "takes-batches": [
    "RPC-001",
    {
      notRpc: (message) =>
        Array.isArray(message) ? [[...rightAgent.notRpc(message)] as unknown as Json] : rightAgent.notRpc(message),
    },
    { collateral: ["RPC-010"], cases: ["rpc.no-request-1"] },
  ],
});

/** Faults of agents in bytes and JSON-RPC. */
export const agentWireMutants = [...framingMutants, ...rpcMutants];
