import type { HelixZedProfile, MessageRole } from "@editwire/helix-zed-schema";
import type { BindingOptions } from "@editwire/session";
import type { HelixZedAnswerMessage, HelixZedSessionRecord, HelixZedStore } from "./records.js";
import type { Transport } from "@editwire/transport";
import type { HelixZedSession } from "./session-api.js";

/** An event of a host besides the answers to its prompts. */
export type HelixZedEvent =
  | { readonly type: "connected"; readonly agentId: string }
  | { readonly type: "disconnected"; readonly agentId: string; readonly reason: Error }
  /** The session's agent created a thread for it, or the session has another thread or none. */
  | { readonly type: "thread"; readonly sessionId: string; readonly threadId: string | undefined }
  | { readonly type: "title"; readonly sessionId: string; readonly title: string }
  /** 2026: the user began a thread on the agent's side. It is a session from now on. */
  | {
      readonly type: "session";
      readonly sessionId: string;
      readonly agentId: string;
      readonly threadId: string;
      readonly title: string | undefined;
    }
  /** A message that belongs to no answer: one of the system, or one that came when nothing waited. */
  | {
      readonly type: "message";
      readonly sessionId: string;
      readonly role: MessageRole;
      readonly message: HelixZedAnswerMessage;
    };

/** How a host keeps its sessions, and how it waits. */
export interface HelixZedHostOptions extends Omit<BindingOptions, "profile" | "timeoutMs"> {
  /** Keeps sessions and interactions. Default: `memoryStore()`. */
  store?: HelixZedStore | undefined;
  /** The dialect to speak. Default `helixZedProfiles.spec`; both profiles read both dialects. */
  profile?: HelixZedProfile | undefined;
  /**
   * The outcome of an answer without text. Default `complete`, as the specification says; Helix makes it an `error`.
   */
  emptyAnswer?: "complete" | "error" | undefined;
  /** 2026: milliseconds after which a connected agent counts as ready without `agent_ready`. Default 60,000. */
  readyTimeoutMs?: number | undefined;
  /** Milliseconds of silence of a connected agent after which an interaction ends as `error`. Default 7,200,000. */
  answerTimeoutMs?: number | undefined;
  /**
   * Milliseconds of silence after which an interaction ends as `error` when the agent refused the copy of it that a new
   * connection got. Until then, the turn that the agent has goes on. Default 60,000.
   */
  refusedCopyMs?: number | undefined;
  /**
   * Milliseconds between two saves of an answer that grows, and before a failed save of an end is repeated. Default
   * 1,000.
   */
  saveMs?: number | undefined;
  /** Messages of one answer. Default 10,000; further ones are dropped and reported. */
  maxMessages?: number | undefined;
  /** Characters of one answer, its ids and names included. Default 64 Mi; an update beyond is dropped and reported. */
  maxAnswerLength?: number | undefined;
  /** Called for agents, threads and messages besides the answers. */
  onEvent?: ((event: HelixZedEvent) => void) | undefined;
}

/** An agent that a host knows. */
export interface HelixZedAgentRecord {
  /** The id under which it dials. */
  readonly agentId: string;
  readonly connected: boolean;
}

/** The host's side: sessions, whose agents come and go. */
export interface HelixZedHost {
  /**
   * The session of this id; a new one begins with its first message. A session is found by its id alone. `agent` is the
   * id under which the agent of a new session dials, by default the session's own id; sessions of one agent share its
   * connection. Rejects with `WireError("invalid_params")` for an empty id and for a session of another agent, and with
   * what the store throws.
   */
  session(id: string, options?: { agent?: string | undefined }): Promise<HelixZedSession>;
  /** All sessions of the store, or those of one agent, in the order in which they began. */
  listSessions(options?: { agent?: string | undefined }): Promise<readonly HelixZedSessionRecord[]>;
  /** The agents that have sessions or are connected. */
  listAgents(): Promise<readonly HelixZedAgentRecord[]>;
  /** Deletes a session with its interactions. Turns that run in it reject with `WireError("aborted")`. */
  deleteSession(id: string): Promise<void>;
  /**
   * Takes a connection that an agent dialed under this id. The newest connection of an id wins: the one before is
   * closed. The oldest waiting interaction of each session is then sent on it, with the same request id.
   */
  attach(transport: Transport, agentId: string, options?: { instance?: string | undefined }): void;
  /**
   * False for an agent that names its process by `instance` while another process is connected under the same id: both
   * would run the same requests. An agent that names none, as Zed, is accepted.
   */
  accepts(agentId: string, instance: string | undefined): boolean;
  /** Ends every connection, and resolves when the store has saved everything. The next host sends what waits there. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
