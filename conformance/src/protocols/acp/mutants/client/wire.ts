import { beforeLineEnd, behindLogLine } from "../../../../packs/encodings.js";
import { sendMutants } from "../../../../packs/sends.js";
import { clientFacts } from "../../client-facts.js";
import type { Json } from "../../reference/agent-behavior.js";
import { type ClientBehavior, rightClient } from "../../reference/client-behavior.js";
import { chunkReader, framedChunkReader, headerReader, headersOnly, lineReader, smallReader } from "../readers.js";
import { of, isRequest, rewrite, wrong } from "../../../../packs/rewrites.js";
import { broken, patch } from "./patch.js";

const header = /^Content-Length: (\d+)\r\n(?:[^\r\n]+\r\n)*\r\n/;

/** Writes all messages but the first in the framing that the first does not have. */
function mixesFramings(): Partial<ClientBehavior> {
  let written = 0;
  return {
    encode: (message, framing) =>
      rightClient.encode(message, written++ === 0 ? framing : framing === "line" ? "header" : "line"),
  };
}

/** Faults of clients in bytes, JSON-RPC and the fields of messages. */
export const wireMutants = [
  ...broken({
    "logs-on-stdin": ["FRAME-001", { encode: behindLogLine }],
    "line-ends-behind-bodies": ["FRAME-001", { encode: beforeLineEnd }, { cases: ["framing.*"] }],
    "writes-headers-reads-lines": ["FRAME-008", { reader: lineReader }],
    "chunks-are-messages": ["FRAME-009", { reader: () => chunkReader() }],
    "framed-chunks-are-messages": [
      "FRAME-009",
      { reader: () => framedChunkReader() },
      { cases: ["framing.headers-byte-by-byte"] },
    ],
    // It does not answer messages that it cannot read.
    "writes-lines-reads-headers": [
      "FRAME-008",
      { reader: () => headersOnly() },
      { collateral: ["SESSION-008"], cases: ["framing.lines"] },
    ],
    "other-framing-after-the-first": ["FRAME-014", mixesFramings, { cases: ["framing.headers", "framing.lines"] }],
    "indented-json": ["FRAME-001", { encode: (message) => Buffer.from(`${JSON.stringify(message, null, 2)}\n`) }],
    "one-message-a-chunk": ["FRAME-009", { reader: () => chunkReader(1) }, { cases: ["framing.one-chunk"] }],
    "reads-length-in-characters": ["FRAME-010", { reader: () => headerReader(header, "utf8") }],
    "header-in-one-case": ["FRAME-011", { reader: () => headerReader(header, "latin1") }],
    "one-header": ["FRAME-011", { reader: () => headerReader(/^Content-Length: (\d+)\r\n\r\n/i, "latin1") }],
    "small-buffer": ["FRAME-012", { reader: () => smallReader(1024 * 1024) }],
    "reads-its-own-framing-only": [
      "FRAME-013",
      {
        reader: (framing) =>
          framing === "line"
            ? lineReader()
            : headerReader(/^(?:content-type:[^\r\n]*\r\n)?content-length: (\d+)\r\n(?:[^\r\n]+\r\n)*\r\n/i, "latin1"),
      },
    ],
    "no-version-of-json-rpc": ["RPC-001", wrong.noVersion],
    "error-code-as-string": [
      "RPC-002",
      rewrite(
        (message) => "error" in message,
        (message) => ({ ...message, error: { ...(message["error"] as Json), code: "-32601" } }),
      ),
      { collateral: ["RPC-011"] },
    ],
    "ids-as-strings": ["RPC-003", wrong.idsAsStrings],
    "every-answer-twice": ["RPC-004", wrong.answersTwice],
    "one-id-for-all": [
      "RPC-005",
      {
        ...rewrite(isRequest, (message) => ({ ...message, id: 7 })),
        ...patch({ match: (_id, open) => open.at(-1) }),
      },
      { collateral: ["TURN-014"], cases: ["turn.two-sessions"] },
    ],
    "ids-with-fractions": [
      "RPC-031",
      {
        ...rewrite(isRequest, (message) => ({ ...message, id: Number(message["id"]) + 0.5 })),
        ...patch({ match: (id, open) => open.find((one) => one + 0.5 === id) }),
      },
      { cases: ["turn.prompt"] },
    ],
    "other-code-for-unknown-requests": ["RPC-011", { unknownRequest: () => ({ code: -32600, message: "no" }) }],
    "answers-unknown-notifications": [
      "RPC-012",
      { unknownNotification: () => [{ jsonrpc: "2.0", id: null, error: { code: -32601, message: "unknown" } }] },
    ],
    "dies-of-refused-modes": ["RPC-015", { atError: (method) => (method === "session/set_mode" ? "die" : "survive") }],
    "dies-of-errors-without-id": [
      "RPC-016",
      { strayAnswer: (id) => (id === null || id === undefined ? "die" : "survive") },
    ],
    "dies-of-stray-answers": [
      "RPC-017",
      { strayAnswer: (id) => (id === null || id === undefined ? "survive" : "die") },
    ],
    "dies-of-noise": ["RPC-018", { badBytes: () => "die" }],
    "silent-about-invalid-params": [
      "RPC-019",
      rewrite(
        (message) => (message["error"] as Json | undefined)?.["code"] === -32602,
        () => undefined,
      ),
    ],
    "refuses-unknown-fields-of-agents": [
      "RPC-020",
      { initializeProblem: (result) => ("vendor-field" in result ? "unknown field" : undefined) },
    ],
    "first-asked-first-answered": ["RPC-021", { match: (_id, open) => open[0] }],
    "version-as-string": ["SCHEMA-initialize:params", { initializeParams: () => ({ protocolVersion: "1" }) }],
    "no-version": ["SCHEMA-initialize:params", { initializeParams: () => ({}) }, { collateral: ["INFO-002"] }],
    "no-method-of-authentication": [
      "SCHEMA-authenticate:params",
      { authenticateParams: () => ({}) },
      { cases: ["initialize.authenticate"] },
    ],
    "prompt-as-text": [
      "SCHEMA-session/prompt:params",
      { promptParams: (sessionId, prompt) => ({ sessionId, prompt }) },
    ],
    "blocks-without-type": [
      "SCHEMA-session/prompt:params",
      { promptParams: (sessionId, prompt) => ({ sessionId, prompt: [{ text: prompt }] }) },
    ],
    "cancel-without-session": [
      ["SCHEMA-session/cancel:params", "SESSION-009"],
      rewrite(of("session/cancel"), () => ({ jsonrpc: "2.0", method: "session/cancel", params: {} })),
    ],
  }),
  ...sendMutants(clientFacts, {
    profile: "v1",
    // A session that is not named is not one that the agent opened, and a server without a type is not on stdio.
    collateral: ["ACP-SESSION-009", "ACP-MCP-003"],
    patch: (method, change) => rewrite(of(method), (message) => ({ ...message, params: change(message["params"]) })),
  }),
  ...broken({
    "mode-without-id": [
      ["SCHEMA-session/set_mode:params", "MODE-006"],
      { setModeParams: (sessionId) => ({ sessionId }) },
    ],
    "load-without-servers": [
      ["SCHEMA-session/load:params", "SESSION-008"],
      rewrite(of("session/load"), (message) => ({
        ...message,
        params: { ...(message["params"] as Json), mcpServers: undefined },
      })),
      { cases: ["session.load"] },
    ],
  }),
];
