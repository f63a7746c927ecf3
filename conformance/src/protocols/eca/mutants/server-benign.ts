import { mutant } from "../../../core/mutant.js";
import { rightServer } from "../reference/server-behavior.js";
import { beginning, content, patch } from "./server-patch.js";

const everything = { violates: [], cases: ["*"] } as const;

/** Servers that are as right as the reference in a way of their own: nothing may be held against them. */
export const benignServers = [
  mutant("eca.server/benign-key-order", {
    ...everything,
    patch: patch({ outgoing: (message) => [Object.fromEntries(Object.entries(message).reverse())] }),
  }),
  mutant("eca.server/benign-own-fields", {
    ...everything,
    patch: patch({
      outgoing: (message) => [
        { ...message, ...("params" in message && { params: { ...(message["params"] as object), "x-vendor": 1 } }) },
      ],
    }),
  }),
  mutant("eca.server/benign-escapes", {
    ...everything,
    patch: patch({
      encode(message) {
        const body = JSON.stringify(message).replace(
          /[\u0080-\uffff]/g,
          (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
        );
        return Buffer.from(`Content-Length: ${body.length}\r\n\r\n${body}`);
      },
    }),
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
