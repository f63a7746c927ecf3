import { of } from "../../../../packs/rewrites.js";
import type { AgentBehavior, Json } from "../../reference/agent-behavior.js";

/** Whether a message is an update. */
export const isUpdate = of("session/update");
const updateOf = (message: Json): Json => (message["params"] as Json)["update"] as Json;
/** Sends a message behind each update of a text. */
const besideText = (more: (sessionId: unknown) => Json): Partial<AgentBehavior> => ({
  outgoing: (message) =>
    isUpdate(message) && updateOf(message)["sessionUpdate"] === "agent_message_chunk"
      ? [message, { jsonrpc: "2.0", ...more((message["params"] as Json)["sessionId"]) }]
      : [message],
});
/** Sends an update of a kind behind each update of a text. */
export const update = (sessionUpdate: string, fields: Json = {}) =>
  besideText((sessionId) => ({
    method: "session/update",
    params: { sessionId, update: { sessionUpdate, ...fields } },
  }));
/** The case in which the agent says a text. */
export const cases = ["turn.text"];
/** Sends a request behind each update of a text. */
export const calls = (method: string, params: Json): Partial<AgentBehavior> =>
  besideText((sessionId) => ({ id: `own-${method}`, method, params: { sessionId, ...params } }));
