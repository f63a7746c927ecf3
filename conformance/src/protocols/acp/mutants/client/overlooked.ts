import { isObject } from "@editwire/core";
import type { Mutant } from "../../../../core/mutant.js";
import { type ClientBehavior, rightClient } from "../../reference/client-behavior.js";
import { broken } from "./patch.js";

/** Sets every mode in the session that it opened first. */
function firstSessionsMode(): Partial<ClientBehavior> {
  let first: string | undefined;
  return {
    sessionIdOf(result) {
      const id = rightClient.sessionIdOf(result);
      first ??= id;
      return id;
    },
    setModeParams: (_sessionId, modeId) => rightClient.setModeParams(String(first), modeId),
  };
}

/** Shows no text any more, once something happened. */
function blindAfter(begin: (close: () => void) => Partial<ClientBehavior>): () => Partial<ClientBehavior> {
  return () => {
    let isBlind = false;
    const close = (): void => void (isBlind = true);
    return { ...begin(close), textOf: (content) => (isBlind ? "" : rightClient.textOf(content)) };
  };
}

/** Clients that get wrong what no case once looked at. */
export const overlookedMutants: readonly Mutant[] = broken({
  "answers-what-another-session-asked": [
    "CANCEL-020",
    { answersAtCancel: (_session, all) => all },
    { cases: ["cancel.permission-of-another"] },
  ],
  "opens-a-session-for-each-prompt": ["TURN-018", { promptsAnew: true }],
  "shows-nothing-after-a-cancel": [
    "UPDATE-015",
    blindAfter((close) => ({
      cancelMessages(sessionId, freshId) {
        close();
        return rightClient.cancelMessages(sessionId, freshId);
      },
    })),
    { cases: ["cancel.next-turn"] },
  ],
  "shows-nothing-after-unknown-updates": [
    "UPDATE-010",
    blindAfter((close) => ({
      update(update, when) {
        if (isObject(update) && String(update["sessionUpdate"]).startsWith("_")) close();
        return rightClient.update(update, when);
      },
    })),
    { cases: ["update.after-unknown"] },
  ],
  "sends-updates": [
    "RPC-025",
    {
      outgoing(message) {
        const { method, params } = message;
        if (method !== "session/prompt" || !isObject(params)) return [message];
        const update = { sessionUpdate: "user_message_chunk", content: { type: "text", text: "Hello" } };
        const own = { method: "session/update", params: { sessionId: params["sessionId"], update } };
        return [message, { jsonrpc: "2.0", ...own }];
      },
    },
    { cases: ["turn.*"] },
  ],
  "sessions-in-lower-case": [
    "SESSION-009",
    { promptParams: (id, prompt) => rightClient.promptParams(id.toLowerCase(), prompt) },
    { collateral: ["TURN-011", "RPC-011"], cases: ["turn.prompt"] },
  ],
  "sets-the-mode-of-its-first-session": ["MODE-006", firstSessionsMode],
  "reports-no-cancel": ["TURN-017", { told: (stopReason) => (stopReason === "cancelled" ? "end_turn" : stopReason) }],
});
