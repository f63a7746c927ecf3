import { mutant } from "../../../../core/mutant.js";
import { withLineFeeds } from "../../../../packs/encodings.js";
import { encodeFrame } from "../../../../wire/framing.js";
import { type Json, rightAgent } from "../../reference/agent-behavior.js";
import { framedChunkReader, headerReader } from "../readers.js";
import { answers, requests, rewrite } from "../rewrite.js";
import { patch } from "./patch.js";

const framed = (text: string, length: number): Uint8Array => Buffer.from(`Content-Length: ${length}\r\n\r\n${text}`);

/** Headers that a narrow reader knows, and what it misses. */
const headers: readonly (readonly [string, RegExp])[] = [
  ["header-in-one-case", /^Content-Length: ?(\d+)\r?\n(?:[^\r\n]+\r?\n)*\r?\n/],
  ["header-with-crlf", /^content-length: ?(\d+)\r\n(?:[^\r\n]+\r\n)*\r\n/i],
  ["header-with-a-space", /^content-length: (\d+)\r?\n(?:[^\r\n]+\r?\n)*\r?\n/i],
  ["header-of-one-line", /^content-length: ?(\d+)\r?\n\r?\n/i],
];
const everyHeader = /^content-length: ?(\d+)\r?\n(?:[^\r\n]+\r?\n)*\r?\n/i;

const framingMutants = [
  mutant("acp.agent/banner-on-stdout", {
    violates: ["ACP-FRAME-001"],
    patch: patch({
      encode: (message, framing) => Buffer.concat([Buffer.from("working...\n"), rightAgent.encode(message, framing)]),
    }),
  }),
  mutant("acp.agent/indented-json", {
    violates: ["ACP-FRAME-001"],
    patch: patch({ encode: (message) => Buffer.from(`${JSON.stringify(message, null, 2)}\n`) }),
  }),
  mutant("acp.agent/byte-order-mark", {
    violates: ["ACP-FRAME-001"],
    patch: patch({
      encode: (message, framing) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), encodeFrame(message, framing)]),
    }),
  }),
  mutant("acp.agent/latin-1", {
    violates: ["ACP-FRAME-001"],
    collateral: ["ACP-FRAME-004"],
    cases: ["acp.agent.framing.bytes"],
    patch: patch({
      encode: (message, framing) => Buffer.from(Buffer.from(encodeFrame(message, framing)).toString("utf8"), "latin1"),
    }),
  }),
  mutant("acp.agent/ends-headers-with-line-feeds", {
    violates: ["ACP-FRAME-001"],
    cases: ["acp.agent.framing.*"],
    patch: patch({ encode: withLineFeeds }),
  }),
  mutant("acp.agent/writes-length-in-characters", {
    violates: ["ACP-FRAME-001", "ACP-FRAME-004"],
    cases: ["acp.agent.framing.bytes"],
    patch: patch({
      encode(message, framing) {
        const text = JSON.stringify(message);
        return framing === "line" ? encodeFrame(message, framing) : framed(text, text.length);
      },
    }),
  }),
  mutant("acp.agent/reads-length-in-characters", {
    violates: ["ACP-FRAME-004"],
    patch: patch({ reader: () => headerReader(everyHeader, "utf8") }),
  }),
  mutant("acp.agent/answers-in-lines", { violates: ["ACP-FRAME-002"], patch: patch({ framing: () => "line" }) }),
  mutant("acp.agent/first-answer-in-lines", {
    violates: ["ACP-FRAME-002"],
    patch: () => {
      let answered = false;
      return patch({
        framing(first) {
          const framing = answered ? first : "line";
          answered = true;
          return framing;
        },
      });
    },
  }),
  mutant("acp.agent/answers-with-headers", {
    violates: ["ACP-FRAME-003", "ACP-FRAME-007"],
    patch: patch({ framing: () => "header" }),
  }),
  mutant("acp.agent/one-chunk-is-one-framed-message", {
    violates: ["ACP-FRAME-005"],
    cases: ["acp.agent.framing.split-*"],
    patch: patch({ reader: () => framedChunkReader() }),
  }),
  mutant("acp.agent/follows-the-client", {
    violates: ["ACP-FRAME-007"],
    patch: patch({ framing: (_first, latest) => latest }),
  }),
  ...headers.map(([name, header]) =>
    mutant(`acp.agent/${name}`, {
      violates: ["ACP-FRAME-006"],
      patch: patch({ reader: () => headerReader(header, "latin1") }),
    }),
  ),
];

const silent = { notJson: () => [], notRpc: () => [] };

const rpcMutants = [
  mutant("acp.agent/ids-as-strings", {
    violates: ["ACP-RPC-003"],
    patch: rewrite(answers, (message) => ({ ...message, id: String(message["id"]) })),
  }),
  mutant("acp.agent/every-answer-twice", {
    violates: ["ACP-RPC-004"],
    patch: patch({ outgoing: (message) => (answers(message) ? [message, message] : [message]) }),
  }),
  mutant("acp.agent/errors-behind-results", {
    violates: ["ACP-RPC-004"],
    patch: patch({
      outgoing: (message) =>
        "result" in message
          ? [message, { jsonrpc: "2.0", id: message["id"], error: { code: -32603, message: "no" } }]
          : [message],
    }),
  }),
  mutant("acp.agent/silent-about-bad-json", { violates: ["ACP-RPC-008"], patch: patch({ notJson: silent.notJson }) }),
  mutant("acp.agent/other-code-for-bad-json", {
    violates: ["ACP-RPC-008"],
    patch: patch({ notJson: () => [{ jsonrpc: "2.0", id: null, error: { code: -32600, message: "no" } }] }),
  }),
  mutant("acp.agent/silent-about-other-json", { violates: ["ACP-RPC-010"], patch: patch({ notRpc: silent.notRpc }) }),
  mutant("acp.agent/other-code-for-other-json", {
    violates: ["ACP-RPC-010"],
    patch: patch({ notRpc: () => rightAgent.notJson("") }),
  }),
  mutant("acp.agent/takes-messages-without-version", {
    violates: ["ACP-RPC-010"],
    patch: patch({
      notRpc: (message) =>
        (message as Json)["id"] === "no-version"
          ? [{ jsonrpc: "2.0", id: "no-version", result: {} }]
          : rightAgent.notRpc(message),
    }),
  }),
  mutant("acp.agent/takes-batches", {
    violates: ["ACP-RPC-001"],
    collateral: ["ACP-RPC-010"],
    cases: ["acp.agent.rpc.no-request-1"],
    patch: patch({
      notRpc: (message) =>
        Array.isArray(message)
          ? [[{ jsonrpc: "2.0", id: "batch", result: {} }] as unknown as Json]
          : rightAgent.notRpc(message),
    }),
  }),
  mutant("acp.agent/asks-with-a-null-id", {
    violates: ["ACP-RPC-001"],
    patch: rewrite(requests, (message) => ({ ...message, id: null })),
  }),
];

/** What agents get wrong in bytes and JSON-RPC. */
export const agentWireMutants = [...framingMutants, ...rpcMutants];
