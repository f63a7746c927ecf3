import { defineProtocol, notification, type ParamsOf, type Protocol } from "@editwire/core";
import { ContextCreatedParams, MessageAddedParams, MessageCompletedParams } from "./answer.js";
import { CancelCurrentTurnParams, ChatMessageParams, OpenThreadParams } from "./chat.js";
import * as tests from "./editor-tests.js";
import * as events from "./events.js";
import * as legacy from "./legacy.js";

/** The messages of the specification. */
const specified = {
  chat_message: notification({ from: "host", params: ChatMessageParams, spec: "#chat_message" }),
  context_created: notification({ from: "agent", params: ContextCreatedParams, spec: "#context_created" }),
  message_added: notification({ from: "agent", params: MessageAddedParams, spec: "#message_added" }),
  message_completed: notification({ from: "agent", params: MessageCompletedParams, spec: "#message_completed" }),
};

/** The messages that real hosts and agents added until 2026. */
const added = {
  open_thread: notification({ from: "host", params: OpenThreadParams }),
  cancel_current_turn: notification({ from: "host", params: CancelCurrentTurnParams }),
  thread_created: notification({ from: "agent", params: events.ThreadCreatedParams }),
  agent_ready: notification({ from: "agent", params: events.AgentReadyParams }),
  user_created_thread: notification({ from: "agent", params: events.UserCreatedThreadParams }),
  thread_title_changed: notification({ from: "agent", params: events.ThreadTitleChangedParams }),
  thread_load_error: notification({ from: "agent", params: events.ThreadLoadErrorParams }),
  chat_response_error: notification({ from: "agent", params: events.ChatResponseErrorParams }),
  turn_cancelled: notification({ from: "agent", params: events.TurnCancelledParams }),
  ping: notification({ from: "agent", params: events.PingParams }),
  chat_response: notification({ from: "agent", params: legacy.ChatResponseParams }),
  chat_response_chunk: notification({ from: "agent", params: legacy.ChatResponseChunkParams }),
  chat_response_done: notification({ from: "agent", params: legacy.ChatResponseDoneParams }),
  message_updated: notification({ from: "agent", params: legacy.MessageUpdatedParams }),
  context_title_changed: notification({ from: "agent", params: legacy.ContextTitleChangedParams }),
  simulate_user_input: notification({ from: "host", params: tests.SimulateUserInputParams }),
  query_ui_state: notification({ from: "host", params: tests.QueryUiStateParams }),
  ui_state_response: notification({ from: "agent", params: tests.UiStateResponseParams }),
};

const methods = { ...specified, ...added };

/** The names of the messages that the specification does not have. */
export const addedMessages: readonly string[] = Object.keys(added);

type Table = typeof methods;
/** The message table, as an interface so that compiler messages name it instead of spelling it out. */
export interface HelixZedMethods extends Table {}

/** The protocol as a type, for `ParamsOf` and `Handlers`. */
export type HelixZed = Protocol<"host" | "agent", HelixZedMethods>;

/** The params of a method, by its name: `HelixZedParams<"chat_message">`. */
export type HelixZedParams<Method extends keyof HelixZedMethods> = ParamsOf<HelixZed, Method>;

/**
 * The External Agent WebSocket Protocol: every message with its sender and params. The anchors are headings of the
 * specification.
 */
export const helixZed: HelixZed = defineProtocol({
  name: "helix-zed",
  version: "2025-10",
  roles: ["host", "agent"],
  methods,
});
