import type { Usage } from "@editwire/helix-zed-schema";

/** What became of a user's message: `waiting` until the agent has completed it; `interrupted` is a dialect's addition. */
export type InteractionState = "waiting" | "complete" | "error" | "interrupted";

/** One message of an answer, as its last update left it. */
export interface AnswerMessage {
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
export interface InteractionRecord {
  readonly sessionId: string;
  /** Unique among all interactions. */
  readonly requestId: string;
  /** What the user said. */
  readonly message: string;
  readonly state: InteractionState;
  /** The messages of the answer, in the order in which they began. */
  readonly messages: readonly AnswerMessage[];
  /** Why it failed, in the state `error`. */
  readonly error?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly agentName?: string | undefined;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970, once it is no longer waiting. */
  readonly endedAt?: number | undefined;
}

/** A conversation on the host's side. */
export interface SessionRecord {
  readonly id: string;
  /** The id under which the agent of this session dials. */
  readonly agentId: string;
  /** The agent's thread, once it has created one. */
  readonly threadId: string | undefined;
  readonly title: string | undefined;
}

/** A session as a host finds it again. */
export interface StoredSession extends SessionRecord {
  /** The interactions that still wait, oldest first. */
  readonly waiting: readonly InteractionRecord[];
}

type Awaitable<T> = T | Promise<T>;

/**
 * Keeps sessions and interactions. What is saved has to be durable once the call returns or its promise resolves: the host
 * relies on it before it sends a message and before it says that one is complete.
 */
export interface SessionStore {
  /** The sessions of an agent, in the order in which they began. */
  load(agentId: string): Awaitable<readonly StoredSession[]>;
  /** Adds a session, or replaces the one with its id. */
  saveSession(session: SessionRecord): Awaitable<void>;
  /** Adds an interaction, or replaces the one with its request id; that keeps its place. */
  saveInteraction(interaction: InteractionRecord): Awaitable<void>;
  /** One interaction, if there is such. */
  interaction(requestId: string): Awaitable<InteractionRecord | undefined>;
  /** All interactions of a session, in the order in which they began. */
  interactions(sessionId: string): Awaitable<readonly InteractionRecord[]>;
}

/** The text of an answer: its messages, parted by blank lines. */
export function responseOf({ messages }: Pick<InteractionRecord, "messages">): string {
  return messages.map(({ content }) => content).join("\n\n");
}
