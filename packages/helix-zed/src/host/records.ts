import type { Usage } from "@editwire/helix-zed-schema";
import type { HelixZedPromptFields } from "./prompt-fields.js";

/** The state of a message: `waiting` until the agent completed it. The specification has no `interrupted`. */
export type HelixZedInteractionState = "waiting" | "complete" | "error" | "interrupted";

/** One message of an answer, as its last update left it. */
export interface HelixZedAnswerMessage {
  readonly id: string;
  /** The whole text so far. */
  readonly content: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** 2026: `text` or `tool_call`. */
  readonly entryType?: string | undefined;
  readonly toolName?: string | undefined;
  readonly toolStatus?: string | undefined;
}

/** A user's message with its answer. */
export interface HelixZedInteraction extends HelixZedPromptFields {
  readonly sessionId: string;
  /** Unique among all interactions. */
  readonly requestId: string;
  /** The user's message. */
  readonly message: string;
  readonly state: HelixZedInteractionState;
  /** The messages of the answer, in the order in which they began. */
  readonly messages: readonly HelixZedAnswerMessage[];
  /** Why it failed, in the state `error`. */
  readonly error?: string | undefined;
  readonly usage?: Usage | undefined;
  /** It waited behind another message of its session. */
  readonly fromQueue?: true | undefined;
  /** `agent` where the user wrote the message on the agent's side. It is never sent to the agent. */
  readonly origin?: "agent" | undefined;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970. Absent while it waits. */
  readonly endedAt?: number | undefined;
}

/** A conversation on the host's side. */
export interface HelixZedSessionRecord {
  readonly id: string;
  /** The id under which the agent of this session dials. */
  readonly agentId: string;
  /** The agent's thread, once it has created one. */
  readonly threadId: string | undefined;
  readonly title: string | undefined;
}

/** A session as a host finds it in its store. */
export interface HelixZedStoredSession extends HelixZedSessionRecord {
  /** The interactions that still wait, oldest first. */
  readonly waiting: readonly HelixZedInteraction[];
}

type Awaitable<T> = T | Promise<T>;

/**
 * Keeps sessions and interactions. Saved records must be durable when the call returns or its promise resolves: the
 * host relies on it before it sends a message and before it reports an end. One host at a time may use a store.
 */
export interface HelixZedStore {
  /** The sessions of an agent, in the order in which they began. */
  load(agentId: string): Awaitable<readonly HelixZedStoredSession[]>;
  /** One session, if the store has it. */
  session(id: string): Awaitable<HelixZedSessionRecord | undefined>;
  /** All sessions, in the order in which they began. */
  sessions(): Awaitable<readonly HelixZedSessionRecord[]>;
  /** Adds a session, or replaces the one with its id. */
  saveSession(session: HelixZedSessionRecord): Awaitable<void>;
  /** Removes a session and its interactions. An unknown id is not an error. */
  deleteSession(id: string): Awaitable<void>;
  /** Adds an interaction, or replaces the one with its request id, which keeps its place. */
  saveInteraction(interaction: HelixZedInteraction): Awaitable<void>;
  /** One interaction, if the store has it. */
  interaction(requestId: string): Awaitable<HelixZedInteraction | undefined>;
  /** All interactions of a session, in the order in which they began. */
  interactions(sessionId: string): Awaitable<readonly HelixZedInteraction[]>;
}

/** The text of an answer: its messages, separated by blank lines. */
export function responseOf({ messages }: Pick<HelixZedInteraction, "messages">): string {
  return messages.map(({ content }) => content).join("\n\n");
}
