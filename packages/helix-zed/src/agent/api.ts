import type { HelixZedProfile, HelixZedTraits, Usage } from "@editwire/helix-zed-schema";
import type { BackoffOptions, BindingOptions, ConnectionState } from "@editwire/session";
import type { Transport } from "@editwire/transport";
import type { HelixZedToolCallStatus } from "../shared/tool-call.js";
import type { HelixZedMessage } from "./message.js";

/** The facts about a thread that the host asks for. */
export interface HelixZedNewThread {
  /** The host's session. The agent keeps nothing about sessions. */
  readonly sessionId: string;
  /** 2026: which agent the host asks for. */
  readonly agentName: string | undefined;
  /** Aborts when the host cancels the request or the agent is closed. */
  readonly signal: AbortSignal;
}

/**
 * An agent: only `prompt` is required. The host gets the text of a `RemoteError` that a handler throws, where the
 * profile can send an error. For anything else that a handler throws it gets "Internal error", and `onError` gets the
 * error.
 */
export interface HelixZedAgent {
  /**
   * Answers one message of the user. Turns of one thread run one after another, threads side by side. The answer is
   * complete when this returns.
   */
  prompt(turn: HelixZedAgentTurn): void | Promise<void>;
  /**
   * Creates a thread and gives its id, which no other thread may have had. Default: a UUID. Another value fails the
   * turn.
   */
  newThread?(thread: HelixZedNewThread): string | Promise<string>;
  /**
   * Loads a thread that this process has not created or loaded. It is called once at a time for each thread. Throwing
   * says that the thread cannot be used; after a `RemoteError` with the text "no such thread", a host of this package
   * begins a new one. Default: every thread can be used.
   */
  loadThread?(threadId: string): void | Promise<void>;
}

/**
 * Whether the host is connected, why not, and in how many milliseconds the agent dials again: `Infinity` after the
 * host refused it.
 */
export type HelixZedConnectionState = ConnectionState;

/** How an agent reaches its host. */
export interface HelixZedAgentOptions extends Omit<BindingOptions, "profile" | "timeoutMs"> {
  /**
   * Makes one connection to the host. It is called again when that fails or ends, except after a
   * `WireError("not_connected")` whose `data` has the `status` 401 or 403.
   */
  dial: () => Promise<Transport>;
  /** The id under which it dials. It stands in where a message names no session. */
  sessionId: string;
  /** 2026: the name that the agent gives itself. Default `editwire`. */
  agentName?: string | undefined;
  /** The dialect to speak. Default `helixZedProfiles.spec`; both profiles read both dialects. */
  profile?: HelixZedProfile | undefined;
  /** How long to wait before dialing again. */
  reconnect?: BackoffOptions | undefined;
  /**
   * Milliseconds between two updates of an answer: text that is added meanwhile leaves with the next one. Default 100.
   */
  flushMs?: number | undefined;
  /**
   * Milliseconds that the handlers of a canceled turn have to return before the turn ends without them. Default 10,000.
   */
  cancelGraceMs?: number | undefined;
  /** Messages that may wait for the running turn of a thread. Default 1,000; further ones fail. */
  maxWaiting?: number | undefined;
  /** Called when the connection changes. A dial that fails goes to `onError` too, once for each reason in a row. */
  onConnection?: ((state: HelixZedConnectionState) => void) | undefined;
}

/** A tool call to show. */
export interface HelixZedNewToolCall {
  readonly title: string;
  /** Default `in_progress`. */
  readonly status?: HelixZedToolCallStatus | undefined;
}

/** The changed fields of a tool call. */
export interface HelixZedToolCallChange {
  readonly title?: string | undefined;
  readonly status?: HelixZedToolCallStatus | undefined;
  /** Is added to what the host shows of the call. */
  readonly text?: string | undefined;
}

/** A tool call among the messages of an answer. It is sent in the profile `v2026` only. */
export interface HelixZedToolCall {
  readonly toolCallId: string;
  update(change: HelixZedToolCallChange): void | Promise<void>;
  /** The same as `update` with the status `completed`. */
  complete(text?: string): void | Promise<void>;
  /** The same as `update` with the status `failed`. */
  fail(text?: string): void | Promise<void>;
}

/**
 * One message of the user, to be answered. After the handler has returned, everything here throws
 * `WireError("closed")`.
 */
export interface HelixZedAgentTurn {
  readonly threadId: string;
  /** The host's session. It is known for the turn only. */
  readonly sessionId: string;
  readonly requestId: string;
  /** The user's message. */
  readonly promptText: string;
  /** 2026: which agent the host asks for. */
  readonly agentName: string | undefined;
  /** 2026: the id of the host's record of this message and its answer. */
  readonly interactionId: string | undefined;
  /** 2026: the host wants to know which files the turn changes. */
  readonly trackCodeChanges: boolean;
  /** 2026: the message waited in the host's queue. */
  readonly fromQueue: boolean;
  /** 2026: the user asks to continue the last answer. */
  readonly isContinue: boolean;
  /** The abilities of the agent's profile. */
  readonly traits: HelixZedTraits;
  /** Aborts when the host cancels the turn or the agent is closed. A lost connection does not abort it. */
  readonly signal: AbortSignal;
  /**
   * Adds to the answer's last message, and begins one if there is none. A promise comes back only when the host is
   * slow. Throws `WireError("too_large")` beyond 10 Mi characters.
   */
  text(text: string): void | Promise<void>;
  /** Begins a further message of the answer. */
  startMessage(): HelixZedMessage;
  /** Begins a tool call. Text then begins a new message. */
  toolCall(call: HelixZedNewToolCall): HelixZedToolCall;
  /** 2026: what the turn cost, in tokens. Throws `WireError("invalid_params")` for other values. */
  usage(usage: Usage): void;
  /** 2026: gives the thread a title. It is sent in profiles with the trait `titles` only. */
  title(title: string): void;
}
