import type { HelixZedProfile, MessageRole } from "@editwire/helix-zed-schema";
import type { BindingOptions } from "@editwire/session";
import type { HelixZedAnswerMessage, HelixZedStore } from "./records.js";

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
