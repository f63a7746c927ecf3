import { isObject } from "@editwire/core";
import { benignForms } from "../../../packs/benign.js";
import { mutant } from "../../../core/mutant.js";
import { rightServer } from "../reference/server-behavior.js";
import { answered, beginning, benign, content, patch } from "./server-patch.js";

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
  const outputs = (one["outputs"] as readonly Readonly<Record<string, unknown>>[]).map(({ content: text }) => ({
    type: "text",
    content: text,
  }));
  return [{ role, content: { ...kept, arguments: ["a"], outputs } }];
}

/** Servers that are as right as the reference in a way of their own: nothing may be held against them. */
export const benignServers = [
  ...benignForms("eca.server"),
  ...benign({
    "own-fields": {
      outgoing: (message) => [
        { ...message, ...("params" in message && { params: { ...(message["params"] as object), "x-vendor": 1 } }) },
      ],
    },
    "content-type": {
      encode(message) {
        const body = Buffer.from(JSON.stringify(message));
        const type = "application/vscode-jsonrpc; charset=utf-8";
        return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\nContent-Type: ${type}\r\n\r\n`), body]);
      },
    },
    "interface-fields": { contents: asInterfaces },
    "letter-by-letter": {
      contents: (role, one) =>
        role === "assistant" && one["type"] === "text"
          ? [...String(one["text"])].map((text) => ({ role, content: { ...one, text } }))
          : [{ role, content: one }],
    },
    "more-than-empty": answered("chat/delete", { deleted: true }),
    pieces: { write: (bytes, put) => [bytes.subarray(0, 7), bytes.subarray(7)].forEach(put) },
    "own-notifications": {
      outgoing: (message) =>
        message["method"] === "tool/serverUpdated"
          ? [{ jsonrpc: "2.0", method: "config/updated", params: { chat: { models: ["test/one"] } } }, message]
          : [message],
    },
    "server-names": content("toolCallRun", (one) => ({ ...one, server: "eca" })),
    "refuses-what-fails": {
      paramsProblem: (method, params) =>
        isObject(params) && String(params["message"]).includes("conf:error")
          ? { code: -32603, message: "The model cannot be reached" }
          : rightServer.paramsProblem(method, params),
    },
    "no-models": beginning({ models: [], chatDefaultModel: "" }),
    "more-progress": {
      contents: (role, one) =>
        one["type"] === "usage"
          ? [
              { role: "system", content: { type: "progress", state: "running", text: "Nearly" } },
              { role, content: one },
            ]
          : [{ role, content: one }],
    },
  }),
  mutant("eca.server/benign-no-mcp", {
    violates: [],
    cases: ["eca.server.chat.*", "eca.server.turn.*", "eca.server.tool.*"],
    patch: patch({ servers: () => rightServer.servers().slice(0, 1), mcpUpdates: () => [] }),
  }),
];
