import { mutant, type Mutant } from "../../../core/mutant.js";
import { benignForms } from "../../../packs/benign.js";
import { type ClientBehavior, rightClient } from "../reference/client-behavior.js";
import { patch } from "./client-patch.js";

const everything = { violates: [], cases: ["*"] } as const;

/** Gives its requests other ids. */
const identified = (idOf: (id: number) => unknown): Partial<ClientBehavior> =>
  patch({
    outgoing: (message) => [
      "method" in message && typeof message["id"] === "number" ? { ...message, id: idOf(message["id"]) } : message,
    ],
    match: (id, open) => open.find((call) => id === idOf(call)),
    cancel: (id) => [{ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: idOf(id) } }],
  });

/** Clients that are as right as the reference in a way of their own: nothing may be held against them. */
export const benignClients: readonly Mutant[] = [
  ...benignForms("kaiak.client"),
  mutant("kaiak.client/benign-string-ids", { ...everything, patch: identified((id) => `client-${id}`) }),
  // Larger than 32 bits.
  mutant("kaiak.client/benign-large-ids", { ...everything, patch: identified((id) => id + 2 ** 40) }),
  mutant("kaiak.client/benign-own-fields", {
    ...everything,
    patch: patch({ wrap: (command, params) => rightClient.wrap(command, { ...params, "x-vendor": [1] }) }),
  }),
  mutant("kaiak.client/benign-content-type", {
    ...everything,
    patch: patch({
      encode(message) {
        const body = Buffer.from(`${JSON.stringify(message)}\n`);
        const type = "application/vscode-jsonrpc; charset=utf-8";
        return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\nContent-Type: ${type}\r\n\r\n`), body]);
      },
    }),
  }),
  // As language clients do, which carry commands for their editor.
  mutant("kaiak.client/benign-progress-tokens", {
    ...everything,
    patch: patch({
      wrap(command, params) {
        const { method, params: carried } = rightClient.wrap(command, params);
        return { method, params: { ...(carried as object), workDoneToken: "9fd1" } };
      },
    }),
  }),
  mutant("kaiak.client/benign-own-notifications", {
    ...everything,
    patch: patch({
      outgoing: (message) => [{ jsonrpc: "2.0", method: "$/setTrace", params: { value: "off" } }, message],
    }),
  }),
  mutant("kaiak.client/benign-short-answers", {
    ...everything,
    patch: patch({ answer: (interaction_id, response) => [{ interaction_id, response_data: response }] }),
  }),
  mutant("kaiak.client/benign-upper-case-sessions", {
    ...everything,
    patch: patch({ sessionId: (count) => `ABCDEF00-1111-4111-8333-${String(count).padStart(12, "0")}` }),
  }),
];
