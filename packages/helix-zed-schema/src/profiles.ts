import { chain, type Change, isObject, methodsOf, type Profile, type Rewrites, WireError } from "@editwire/core";
import { specDeviations, v2026Deviations } from "./deviations.js";
import { addedMessages, helixZed } from "./protocol.js";
import { fields, hostSession, noSession, nullThread, only, refuse } from "./rewrites.js";

/** The abilities of a dialect. A binding reads these traits; it never compares names of profiles. */
export interface HelixZedTraits {
  /** The event that announces a new thread. */
  readonly created: "context_created" | "thread_created";
  /** The agent says with `agent_ready` that it takes messages, and names itself at the end of a turn. */
  readonly readiness: boolean;
  /** A turn that fails ends with `chat_response_error` or `thread_load_error` instead of `message_completed`. */
  readonly errors: boolean;
  /** A turn can be canceled and interrupted: `cancel_current_turn`, `turn_cancelled`, `interrupt`. */
  readonly cancel: boolean;
  /** Tool calls are messages of the answer. */
  readonly toolCalls: boolean;
  /** The host may open a thread, and choose which agent answers. */
  readonly agents: boolean;
  /** The agent gives threads titles: `thread_title_changed`. */
  readonly titles: boolean;
}

/** A dialect of Helix-Zed. */
export type HelixZedProfile = Profile<HelixZedTraits>;

/** The specification has no other role. */
const fromAssistant: Change = (params) => {
  if (isObject(params) && params["role"] !== "assistant")
    throw new WireError("invalid_params", 'message_added: role: the profile "spec" has only the role "assistant"');
  return params;
};

/** The specification's own dialect. It sends only the messages and fields that the specification names. */
const spec: HelixZedProfile = {
  name: "spec",
  traits: {
    created: "context_created",
    readiness: false,
    errors: false,
    cancel: false,
    toolCalls: false,
    agents: false,
    titles: false,
  },
  encode: {
    chat_message: { params: only("helix_session_id", "acp_thread_id", "message", "request_id") },
    context_created: { params: only("session_id", "acp_thread_id", "helix_session_id") },
    message_added: {
      params: chain(fromAssistant, only("session_id", "acp_thread_id", "message_id", "role", "content", "timestamp")),
    },
    message_completed: { params: only("session_id", "acp_thread_id", "message_id", "request_id") },
    ...Object.fromEntries(addedMessages.map((name) => [name, { params: refuse(name) }])),
  },
  deviations: specDeviations,
};

/**
 * Zed drops a message that has a role, because it takes it for an echo. Hosts of this dialect send the session under
 * both names.
 */
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

/**
 * The dialect that Helix and Zed spoke in 2026: more messages and fields, `thread_created` for `context_created`,
 * events without a session.
 */
const v2026: HelixZedProfile = {
  name: "v2026",
  traits: {
    created: "thread_created",
    readiness: true,
    errors: true,
    cancel: true,
    toolCalls: true,
    agents: true,
    titles: true,
  },
  encode: { chat_message: { params: toZed } },
  decode: { ...silentEvents, chat_message: { params: chain(hostSession, nullThread) } },
  deviations: v2026Deviations,
};

/** The dialects of Helix-Zed. `spec` is the default of every way in; both read both. */
export const helixZedProfiles: { readonly spec: HelixZedProfile; readonly v2026: HelixZedProfile } = { spec, v2026 };
