import { benignForms } from "../../../packs/benign.js";
import { mutant } from "../../../core/mutant.js";
import { rightServer } from "../reference/server-behavior.js";
import { answered, beginning, content, patch } from "./server-patch.js";

const everything = { violates: [], cases: ["*"] } as const;

/**
 * Fields of an interface of the specification, by the type of the content; what else the reference sends is left out.
 */
const interfaces: Readonly<Record<string, readonly string[]>> = {
  text: ["type", "text"],
  progress: ["type", "state", "text"],
  toolCallPrepare: ["type", "origin", "id", "name", "argumentsText", "manualApproval", "summary", "details"],
  toolCallRun: ["type", "origin", "id", "name", "arguments", "manualApproval", "summary", "details"],
  toolCalled: ["type", "origin", "id", "name", "arguments", "error", "outputs", "summary", "details"],
  toolCallRejected: ["type", "origin", "id", "name", "arguments", "reason", "summary", "details"],
};

/**
 * A content with exactly the fields of its interface: a tool's output has `content`, and `arguments` are a list there.
 */
function asInterfaces(role: string, one: Readonly<Record<string, unknown>>) {
  const fields = interfaces[String(one["type"])];
  if (fields === undefined) return [{ role, content: one }];
  const kept = Object.fromEntries(Object.entries(one).filter(([name]) => fields.includes(name)));
  if (one["type"] !== "toolCalled") return [{ role, content: kept }];
  const outputs = [{ type: "text", content: "ok" }];
  return [{ role, content: { ...kept, arguments: ["a"], outputs } }];
}

/** Servers that are as right as the reference in a way of their own: nothing may be held against them. */
export const benignServers = [
  ...benignForms("eca.server"),
  mutant("eca.server/benign-own-fields", {
    ...everything,
    patch: patch({
      outgoing: (message) => [
        { ...message, ...("params" in message && { params: { ...(message["params"] as object), "x-vendor": 1 } }) },
      ],
    }),
  }),
  mutant("eca.server/benign-content-type", {
    ...everything,
    patch: patch({
      encode(message) {
        const body = Buffer.from(JSON.stringify(message));
        const type = "application/vscode-jsonrpc; charset=utf-8";
        return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\nContent-Type: ${type}\r\n\r\n`), body]);
      },
    }),
  }),
  mutant("eca.server/benign-interface-fields", { ...everything, patch: patch({ contents: asInterfaces }) }),
  mutant("eca.server/benign-more-than-empty", {
    ...everything,
    patch: answered("chat/delete", { deleted: true }),
  }),
  mutant("eca.server/benign-pieces", {
    ...everything,
    patch: patch({ write: (bytes, put) => [bytes.subarray(0, 7), bytes.subarray(7)].forEach(put) }),
  }),
  mutant("eca.server/benign-own-notifications", {
    ...everything,
    patch: patch({
      outgoing: (message) =>
        message["method"] === "tool/serverUpdated"
          ? [{ jsonrpc: "2.0", method: "config/updated", params: { chat: { models: ["test/one"] } } }, message]
          : [message],
    }),
  }),
  mutant("eca.server/benign-server-names", {
    ...everything,
    patch: content("toolCallRun", (one) => ({ ...one, server: "eca" })),
  }),
  mutant("eca.server/benign-no-models", { ...everything, patch: beginning({ models: [], chatDefaultModel: "" }) }),
  mutant("eca.server/benign-more-progress", {
    ...everything,
    patch: patch({
      contents: (role, one) =>
        one["type"] === "usage"
          ? [
              { role: "system", content: { type: "progress", state: "running", text: "Nearly" } },
              { role, content: one },
            ]
          : [{ role, content: one }],
    }),
  }),
  mutant("eca.server/benign-no-mcp", {
    ...everything,
    cases: ["eca.server.chat.*", "eca.server.turn.*", "eca.server.tool.*"],
    patch: patch({ servers: () => rightServer.servers().slice(0, 1), mcpUpdates: () => [] }),
  }),
];
