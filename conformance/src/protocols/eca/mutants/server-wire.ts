import { isObject } from "@editwire/core";
import { beforeLineEnd, inLatin1, onLine, withLineFeeds, withMoreHeaders } from "../../../packs/encodings.js";
import { headersLike, oneOfAChunk, wholeChunks } from "../../../packs/readers.js";
import { wrong } from "../../../packs/rewrites.js";
import { type Json, rightServer } from "../reference/server-behavior.js";
import { answered, beginning, broken, each } from "./server-patch.js";

const echo = ["turn.echo"];
const updatesOf = (name: unknown, status: "stopped" | "running"): readonly Json[] =>
  [rightServer.mcpUpdates(name, status)].flat().filter((one) => one !== "die");
const refusal = (code: number) => ({ code, message: "no" });

/** Faults of servers with bytes, messages and the beginning and end of a connection. */
export const wireMutants = broken({
  "ends-messages-with-lines": ["FRAME-001", { encode: beforeLineEnd }, { cases: echo }],
  "ends-headers-with-line-feeds": ["FRAME-002", { encode: withLineFeeds }],
  "names-another-charset": ["FRAME-002", { encode: inLatin1 }, { collateral: ["FRAME-003"] }],
  "writes-lines": ["FRAME-002", { encode: onLine }, { cases: echo }],
  "more-headers": ["FRAME-003", { encode: withMoreHeaders }, { cases: echo }],
  "reads-chunks": ["FRAME-004", { reader: wholeChunks }],
  "reads-one-of-many": ["FRAME-004", { reader: oneOfAChunk }, { cases: ["framing.many"] }],
  "knows-no-content-type": ["FRAME-005", { reader: headersLike(/^Content-Length: ?\d+$/) }],
  "case-matters": ["FRAME-005", { reader: headersLike(/Content-Length/) }, { cases: ["framing.header-lower-case"] }],
  "any-charset": ["FRAME-006", { headerProblem: () => undefined, notJson: () => [] }],
  "replaces-characters": ["FRAME-007", wrong.onlyAscii],
  "no-version": ["RPC-001", wrong.noVersion, { cases: ["life.initialize"] }],
  "null-params": [
    "RPC-014",
    {
      outgoing: (message) =>
        message["method"] === "$/showMessage"
          ? [message, { jsonrpc: "2.0", method: "vendor/ready", params: null }]
          : [message],
    },
    { cases: ["life.native-tools"] },
  ],
  "codes-as-words": ["RPC-002", wrong.codesAsWords, { collateral: ["RPC-006"], cases: ["unknown-method.vendor"] }],
  "ids-as-strings": ["RPC-003", wrong.idsAsStrings, { collateral: ["RPC-010"], cases: ["life.initialize"] }],
  "every-answer-twice": ["RPC-004", wrong.answersTwice, { cases: ["query.commands"] }],
  "own-code-for-unknown": ["RPC-006", { unknownRequest: () => refusal(-32000) }],
  "dies-of-notifications": ["RPC-012", { unknownNotification: () => "die" }, { cases: ["notified.*"] }],
  "answers-notifications": [
    "RPC-007",
    { unknownNotification: () => [{ jsonrpc: "2.0", id: null, error: refusal(-32601) }] },
  ],
  "silent-about-bytes": ["RPC-008", { notJson: () => [] }],
  "falls-silent-at-bytes": ["RPC-012", fallsSilent, { collateral: ["RPC-008"], cases: ["rpc.not-json"] }],
  "no-white-space": [
    "RPC-009",
    { incoming: (chunk) => (/\r\n\r\n\s/.test(Buffer.from(chunk).toString()) ? Buffer.alloc(0) : chunk) },
  ],
  "internal-for-params": [
    "RPC-011",
    { paramsProblem: (method, params) => rightServer.paramsProblem(method, params) && refusal(-32603) },
  ],
  "no-welcome": ["LIFE-001", beginning({ chatWelcomeMessage: undefined })],
  ...each(["clientInfo", "initializationOptions"], (field) => ({
    [`demands-${field}`]: [
      "LIFE-016",
      { initializeProblem: (params) => (params[field] === undefined ? refusal(-32602) : undefined) },
    ],
  })),
  "demands-a-version": [
    "LIFE-016",
    {
      initializeProblem: ({ clientInfo }) =>
        isObject(clientInfo) && clientInfo["version"] === undefined ? refusal(-32602) : undefined,
    },
    { cases: ["life.behavior"] },
  ],
  "refuses-a-behavior": [
    "LIFE-016",
    {
      initializeProblem: ({ initializationOptions }) =>
        JSON.stringify(initializationOptions ?? {}).includes("plan") ? refusal(-32602) : undefined,
    },
    { cases: ["life.behavior"] },
  ],
  "demands-codeAssistant": [
    "LIFE-016",
    {
      initializeProblem: ({ capabilities }) =>
        JSON.stringify(capabilities).includes("codeAssistant") ? undefined : refusal(-32602),
    },
  ],
  "takes-one-folder": [
    "LIFE-016",
    {
      initializeProblem: ({ workspaceFolders: folders }) =>
        Array.isArray(folders) && folders.length > 1 ? refusal(-32602) : undefined,
    },
  ],
  "demands-a-process": [
    "LIFE-002",
    { initializeProblem: ({ processId }) => (processId === undefined ? refusal(-32602) : undefined) },
  ],
  "own-behavior": ["LIFE-003", { initializeResult: () => rightServer.initializeResult({}) }],
  "serves-early": ["LIFE-004", { early: () => undefined }],
  "speaks-early": ["LIFE-005", { beforeInitialized: () => rightServer.servers() }, { cases: ["life.native-tools"] }],
  "hides-its-tools": ["LIFE-007", { servers: () => [] }],
  "shutdown-with-an-object": ["LIFE-008", answered("shutdown", {})],
  "stays-after-exit": [
    "LIFE-009",
    { endsAt: (what) => what === "input" },
    { collateral: ["LIFE-006", "LIFE-017"], cases: ["life.exit"] },
  ],
  "ends-at-shutdown": ["LIFE-018", { endsAt: () => true }],
  "stays-after-input": ["LIFE-010", { endsAt: (what) => what === "exit" }],
  "dies-of-unknown-servers": [
    "MCP-001",
    {
      mcpUpdates(name, status) {
        const updates = updatesOf(name, status);
        return updates.length > 0 ? updates : "die";
      },
    },
  ],
  "stops-every-mcp-server": [
    "MCP-003",
    {
      mcpUpdates: (name, status) =>
        (status === "stopped" ? ["files", "search"] : [name]).flatMap((one) => updatesOf(one, status)),
    },
  ],
  ...each(["stopped", "running"], (silent) => ({
    [`silent-about-${silent}-servers`]: [
      "MCP-002",
      { mcpUpdates: (name, status) => (status === silent ? [] : rightServer.mcpUpdates(name, status)) },
    ],
    [`silent-about-servers-${silent}-again`]: ["MCP-002", once(silent)],
  })),
});

/** Reports a status of an MCP server once. */
function once(status: string): () => Partial<typeof rightServer> {
  return () => {
    let told = false;
    return {
      mcpUpdates(name, wanted) {
        if (wanted === status && told) return [];
        told ||= wanted === status && name === "files";
        return rightServer.mcpUpdates(name, wanted);
      },
    };
  };
}

/** Reads nothing after bytes that are not a message, of one connection. */
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
