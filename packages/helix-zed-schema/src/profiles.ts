import { isObject, methodsOf, type Profile, type Rewrites, WireError } from "@editwire/core";
import { v2025Deviations, v2026Deviations } from "./deviations.js";
import { addedMessages, helixZed } from "./protocol.js";
import { chain, type Change, fields, hostSession, noSession, nullThread, only, refuse } from "./rewrites.js";

/** The specification has no other role. */
const fromAssistant: Change = (params) => {
  if (isObject(params) && params["role"] !== "assistant")
    throw new WireError("invalid_params", `message_added: the dialect "2025" has only the role "assistant"`);
  return params;
};

/** The specification's own dialect; the default. What it does not name is never sent, neither messages nor fields. */
export const v2025: Profile = {
  name: "2025",
  encode: {
    chat_message: { params: only("helix_session_id", "acp_thread_id", "message", "request_id") },
    context_created: { params: only("session_id", "acp_thread_id", "helix_session_id") },
    message_added: {
      params: chain(fromAssistant, only("session_id", "acp_thread_id", "message_id", "role", "content", "timestamp")),
    },
    message_completed: { params: only("session_id", "acp_thread_id", "message_id", "request_id") },
    ...Object.fromEntries(addedMessages.map((name) => [name, { params: refuse(name) }])),
  },
  deviations: v2025Deviations,
};

/** Zed takes a message with a role for an echo and drops it. Hosts of this dialect say the session under both names. */
const toZed: Change = fields((params) => {
  const sent: Record<string, unknown> = { ...params, session_id: params["helix_session_id"] };
  delete sent["role"];
  return sent;
});

const silentEvents: Rewrites = Object.fromEntries(
  methodsOf(helixZed)
    .filter(([, { from }]) => from === "agent")
    .map(([name]) => [name, { params: noSession }]),
);

/** What Helix and Zed speak in 2026: more messages and fields, `thread_created` for `context_created`, events without a session. */
export const v2026: Profile = {
  name: "2026",
  encode: { chat_message: { params: toZed } },
  decode: { ...silentEvents, chat_message: { params: chain(hostSession, nullThread) } },
  deviations: v2026Deviations,
};
