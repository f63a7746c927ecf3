import { isObject } from "@editwire/core";
import { mutant, type Mutant } from "../../../../core/mutant.js";
import { rightClient } from "../../reference/client-behavior.js";
import { patch } from "./patch.js";

/** Clients that get wrong what no case once looked at. */
export const overlookedMutants: readonly Mutant[] = [
  mutant("acp.client/sends-updates", {
    violates: ["ACP-RPC-025"],
    cases: ["acp.client.turn.*"],
    patch: patch({
      outgoing(message) {
        const { method, params } = message;
        if (method !== "session/prompt" || !isObject(params)) return [message];
        const update = { sessionUpdate: "user_message_chunk", content: { type: "text", text: "Hello" } };
        const own = { method: "session/update", params: { sessionId: params["sessionId"], update } };
        return [message, { jsonrpc: "2.0", ...own }];
      },
    }),
  }),
  mutant("acp.client/sessions-in-lower-case", {
    violates: ["ACP-SESSION-009"],
    cases: ["acp.client.turn.prompt"],
    patch: patch({ promptParams: (id, prompt) => rightClient.promptParams(id.toLowerCase(), prompt) }),
    collateral: ["ACP-TURN-011", "ACP-RPC-011"],
  }),
  mutant("acp.client/one-mode-for-all", {
    violates: ["ACP-MODE-006"],
    patch: patch({ setModeParams: (sessionId) => ({ sessionId, modeId: "full" }) }),
  }),
  mutant("acp.client/reports-no-cancel", {
    violates: ["ACP-TURN-017"],
    patch: patch({ told: (stopReason) => (stopReason === "cancelled" ? "end_turn" : stopReason) }),
  }),
  mutant("acp.client/allows-when-the-user-leaves", {
    violates: ["ACP-PERM-005"],
    patch: patch({
      choose: (policy, options) => (policy === "cancel" ? options[0] : rightClient.choose(policy, options)),
    }),
  }),
];
