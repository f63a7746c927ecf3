import { mutant } from "../../../core/mutant.js";
import { inLatin1, withLineFeeds } from "../../../packs/encodings.js";
import { encodeFrame, FrameCutter } from "../../../wire/framing.js";
import { type Json, type Reader, rightServer } from "../reference/server-behavior.js";
import { answered, beginning, patch, without } from "./server-patch.js";

const isAnswer = (message: Json): boolean => !("method" in message);
const cutter = (change: (cutter: FrameCutter, chunk: Uint8Array) => ReturnType<Reader["push"]>): (() => Reader) => {
  return () => {
    const inner = new FrameCutter();
    return { push: (chunk) => change(inner, chunk) };
  };
};
const headers = (wanted: RegExp): (() => Reader) =>
  cutter((inner, chunk) => inner.push(chunk).filter((cut) => cut.ok && wanted.test(cut.frame.detail ?? "")));
const refusal = (code: number) => ({ code, message: "no" });

/** What servers get wrong with bytes, messages and the beginning and end of a connection. */
export const wireMutants = [
  mutant("eca.server/logs-on-stdout", {
    violates: ["ECA-FRAME-001"],
    patch: patch({ encode: (message) => Buffer.concat([Buffer.from("working...\n"), rightServer.encode(message)]) }),
    cases: ["eca.server.turn.echo"],
  }),
  mutant("eca.server/ends-headers-with-line-feeds", {
    violates: ["ECA-FRAME-002"],
    patch: patch({ encode: (message) => withLineFeeds(message) }),
  }),
  mutant("eca.server/names-another-charset", {
    violates: ["ECA-FRAME-003"],
    patch: patch({ encode: (message) => inLatin1(message) }),
  }),
  mutant("eca.server/writes-lines", {
    violates: ["ECA-FRAME-002"],
    patch: patch({ encode: (message) => encodeFrame(message, "line") }),
    cases: ["eca.server.turn.echo"],
  }),
  mutant("eca.server/more-headers", {
    violates: ["ECA-FRAME-003"],
    cases: ["eca.server.turn.echo"],
    patch: patch({
      encode(message) {
        const body = Buffer.from(JSON.stringify(message));
        return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\nX-Server: 1\r\n\r\n`), body]);
      },
    }),
  }),
  mutant("eca.server/reads-chunks", {
    violates: ["ECA-FRAME-004"],
    patch: patch({ reader: () => ({ push: (chunk) => new FrameCutter().push(chunk) }) }),
  }),
  mutant("eca.server/reads-one-of-many", {
    violates: ["ECA-FRAME-004"],
    cases: ["eca.server.framing.many"],
    patch: patch({ reader: cutter((inner, chunk) => inner.push(chunk).slice(0, 1)) }),
  }),
  mutant("eca.server/knows-no-content-type", {
    violates: ["ECA-FRAME-005"],
    patch: patch({ reader: headers(/^Content-Length: ?\d+$/) }),
  }),
  mutant("eca.server/case-matters", {
    violates: ["ECA-FRAME-005"],
    cases: ["eca.server.framing.header-lower-case"],
    patch: patch({ reader: headers(/Content-Length/) }),
  }),
  mutant("eca.server/any-charset", {
    violates: ["ECA-FRAME-006"],
    patch: patch({ headerProblem: () => undefined, notJson: () => [] }),
  }),
  mutant("eca.server/counts-characters", {
    violates: ["ECA-FRAME-001"],
    cases: ["eca.server.framing.bytes"],
    collateral: ["ECA-RPC-001", "ECA-FRAME-007"],
    patch: patch({
      encode(message) {
        const body = JSON.stringify(message);
        return Buffer.from(`Content-Length: ${body.length}\r\n\r\n${body}`);
      },
    }),
  }),
  mutant("eca.server/replaces-characters", {
    violates: ["ECA-FRAME-007"],
    patch: patch({ outgoing: (message) => [JSON.parse(JSON.stringify(message).replace(/[^ -~]/g, "?")) as unknown] }),
  }),
  mutant("eca.server/no-version", {
    violates: ["ECA-RPC-001"],
    cases: ["eca.server.life.initialize"],
    patch: patch({ outgoing: (message) => [without(message, "jsonrpc")] }),
  }),
  mutant("eca.server/null-params", {
    violates: ["ECA-RPC-014"],
    cases: ["eca.server.life.native-tools"],
    patch: patch({
      outgoing: (message) =>
        message["method"] === "$/showMessage"
          ? [message, { jsonrpc: "2.0", method: "vendor/ready", params: null }]
          : [message],
    }),
  }),
  mutant("eca.server/codes-as-words", {
    violates: ["ECA-RPC-002"],
    collateral: ["ECA-RPC-006"],
    cases: ["eca.server.unknown-method.vendor"],
    patch: patch({
      outgoing: (message) => [
        message["error"] === undefined ? message : { ...message, error: { code: "not_found", message: "no" } },
      ],
    }),
  }),
  mutant("eca.server/ids-as-strings", {
    violates: ["ECA-RPC-003"],
    collateral: ["ECA-RPC-010"],
    cases: ["eca.server.life.initialize"],
    patch: patch({ outgoing: (message) => [isAnswer(message) ? { ...message, id: String(message["id"]) } : message] }),
  }),
  mutant("eca.server/every-answer-twice", {
    violates: ["ECA-RPC-004"],
    cases: ["eca.server.query.commands"],
    patch: patch({ outgoing: (message) => (isAnswer(message) ? [message, message] : [message]) }),
  }),
  mutant("eca.server/own-code-for-unknown", {
    violates: ["ECA-RPC-006"],
    patch: patch({ unknownRequest: () => refusal(-32000) }),
  }),
  mutant("eca.server/dies-of-notifications", {
    violates: ["ECA-RPC-012"],
    cases: ["eca.server.notified.*"],
    patch: patch({ unknownNotification: () => "die" }),
  }),
  mutant("eca.server/answers-notifications", {
    violates: ["ECA-RPC-007"],
    patch: patch({ unknownNotification: () => [{ jsonrpc: "2.0", id: null, error: refusal(-32601) }] }),
  }),
  mutant("eca.server/silent-about-bytes", { violates: ["ECA-RPC-008"], patch: patch({ notJson: () => [] }) }),
  mutant("eca.server/falls-silent-at-bytes", {
    violates: ["ECA-RPC-012"],
    collateral: ["ECA-RPC-008"],
    cases: ["eca.server.rpc.not-json"],
    patch: () => fallsSilent(),
  }),
  mutant("eca.server/no-white-space", {
    violates: ["ECA-RPC-009"],
    patch: patch({ incoming: (chunk) => (/\r\n\r\n\s/.test(Buffer.from(chunk).toString()) ? Buffer.alloc(0) : chunk) }),
  }),
  mutant("eca.server/internal-for-params", {
    violates: ["ECA-RPC-011"],
    patch: patch({ paramsProblem: (method, params) => rightServer.paramsProblem(method, params) && refusal(-32603) }),
  }),

  mutant("eca.server/no-welcome", { violates: ["ECA-LIFE-001"], patch: beginning({ chatWelcomeMessage: undefined }) }),
  ...["clientInfo", "initializationOptions"].map((field) =>
    mutant(`eca.server/demands-${field}`, {
      violates: ["ECA-LIFE-016"],
      patch: patch({ initializeProblem: (params) => (params[field] === undefined ? refusal(-32602) : undefined) }),
    }),
  ),
  mutant("eca.server/demands-codeAssistant", {
    violates: ["ECA-LIFE-016"],
    patch: patch({
      initializeProblem: ({ capabilities }) =>
        JSON.stringify(capabilities).includes("codeAssistant") ? undefined : refusal(-32602),
    }),
  }),
  mutant("eca.server/demands-a-process", {
    violates: ["ECA-LIFE-002"],
    patch: patch({ initializeProblem: ({ processId }) => (processId === undefined ? refusal(-32602) : undefined) }),
  }),
  mutant("eca.server/own-behavior", {
    violates: ["ECA-LIFE-003"],
    patch: patch({ initializeResult: () => rightServer.initializeResult({}) }),
  }),
  mutant("eca.server/serves-early", { violates: ["ECA-LIFE-004"], patch: patch({ early: () => undefined }) }),
  mutant("eca.server/speaks-early", {
    violates: ["ECA-LIFE-005"],
    cases: ["eca.server.life.native-tools"],
    patch: patch({ beforeInitialized: () => rightServer.servers() }),
  }),
  mutant("eca.server/hides-its-tools", { violates: ["ECA-LIFE-007"], patch: patch({ servers: () => [] }) }),
  mutant("eca.server/shutdown-with-an-object", {
    violates: ["ECA-LIFE-008"],
    patch: answered("shutdown", {}),
  }),
  mutant("eca.server/stays-after-exit", {
    violates: ["ECA-LIFE-009"],
    collateral: ["ECA-LIFE-006", "ECA-LIFE-017"],
    cases: ["eca.server.life.exit"],
    patch: patch({ endsAt: (what) => what === "input" }),
  }),
  mutant("eca.server/stays-after-input", {
    violates: ["ECA-LIFE-010"],
    patch: patch({ endsAt: (what) => what === "exit" }),
  }),
  mutant("eca.server/dies-of-unknown-servers", {
    violates: ["ECA-MCP-001"],
    patch: patch({ mcpUpdates: (name, status) => (name === "files" ? rightServer.mcpUpdates(name, status) : "die") }),
  }),
  ...["stopped", "running"].map((silent) =>
    mutant(`eca.server/silent-about-${silent}-servers`, {
      violates: ["ECA-MCP-002"],
      patch: patch({
        mcpUpdates: (name, status) => (status === silent ? [] : rightServer.mcpUpdates(name, status)),
      }),
    }),
  ),
];

/** Reads nothing after bytes that are no message, of one connection. */
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
