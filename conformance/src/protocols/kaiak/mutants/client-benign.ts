import type { Mutant } from "../../../core/mutant.js";
import { benignForms } from "../../../packs/benign.js";
import { type ClientBehavior, rightClient } from "../reference/client-behavior.js";
import { benign, patch } from "./client-patch.js";

const respond = "kaiak/interaction/respond";

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
  ...benign({
    "string-ids": identified((id) => `client-${id}`),
    // Larger than 32 bits.
    "large-ids": identified((id) => id + 2 ** 40),
    "own-fields": { wrap: (command, params) => rightClient.wrap(command, { ...params, "x-vendor": [1] }) },
    "configures-more": { configuration: (configuration) => ({ ...(configuration as object), "x-vendor": [1] }) },
    "content-type": {
      encode(message) {
        const body = Buffer.from(`${JSON.stringify(message)}\n`);
        const type = "application/vscode-jsonrpc; charset=utf-8";
        return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\nContent-Type: ${type}\r\n\r\n`), body]);
      },
    },
    // As language clients do, which carry commands for their editor.
    "progress-tokens": {
      wrap(command, params) {
        const { method, params: carried } = rightClient.wrap(command, params);
        return { method, params: { ...(carried as object), workDoneToken: "9fd1" } };
      },
    },
    "own-notifications": {
      outgoing: (message) => [{ jsonrpc: "2.0", method: "$/setTrace", params: { value: "off" } }, message],
    },
    // The specification does not say how answers travel.
    "answers-by-method": {
      wrap: (command, params) =>
        command === respond ? { method: command, params } : rightClient.wrap(command, params),
    },
    "answers-by-message": {
      wrap(command, params) {
        if (command !== respond) return rightClient.wrap(command, params);
        const { interaction_id: request_id, response_data: data } = params;
        const { response } = data as { response: unknown };
        const payload = { request_id, action: response === "approve" ? "allow_once" : response };
        const session_id = rightClient.sessionId(1);
        return { method: "kaiak/client/user_message", params: { session_id, kind: "tool_confirmation", payload } };
      },
    },
    "short-answers": { answer: (interaction_id, response) => [{ interaction_id, response_data: response }] },
    "upper-case-sessions": { sessionId: (count) => `ABCDEF00-1111-4111-8333-${String(count).padStart(12, "0")}` },
  }),
];
