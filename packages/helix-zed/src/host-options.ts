import type { Diagnostic } from "@editwire/core";
import type { HelixZedProfile } from "@editwire/helix-zed-schema";
import type { AnswerMessage, SessionStore } from "./records.js";
import type { HelixSession } from "./host-session.js";

/** What a host hears besides the answers that somebody waits for. */
export type HelixEvent =
  | { readonly type: "connected"; readonly agentId: string }
  | { readonly type: "disconnected"; readonly agentId: string; readonly reason: Error }
  /** The session's agent created a thread for it, or moved it to another one. */
  | { readonly type: "thread"; readonly session: HelixSession }
  | { readonly type: "title"; readonly session: HelixSession }
  /** 2026: the user began a thread on the agent's side; `bind` of a session takes it up. */
  | {
      readonly type: "user_thread";
      readonly agentId: string;
      readonly threadId: string;
      readonly title: string | undefined;
    }
  /** A message that belongs to no answer: the user's own on the agent's side, or one that came when nothing waited. */
  | {
      readonly type: "message";
      readonly session: HelixSession;
      readonly role: string;
      readonly message: AnswerMessage;
    };

/** How a host keeps, speaks and waits. */
export interface HelixHostOptions {
  /** Keeps sessions and interactions. Default: this process' memory. */
  store?: SessionStore | undefined;
  /** The dialect to speak. Default `helixZedProfiles.spec`; both read both. */
  profile?: HelixZedProfile | undefined;
  /** Refuse what the deviations table would repair. Default false. */
  strict?: boolean | undefined;
  /** What an answer without a word counts as. Default `complete`, as the specification has it; Helix makes it an `error`. */
  emptyAnswer?: "complete" | "error" | undefined;
  /** 2026: milliseconds after which a connected agent counts as ready though it did not say so. Default 60,000. */
  readyTimeoutMs?: number | undefined;
  /** Milliseconds without a word of a connected agent after which an interaction ends as `error`. Default 7,200,000. */
  answerTimeoutMs?: number | undefined;
  /** Messages of one answer. Default 10,000; further ones are dropped and reported. */
  maxMessages?: number | undefined;
  /** Characters of one answer, with the ids and names in it. Default 64 Mi; what would go beyond is dropped and reported. */
  maxAnswerLength?: number | undefined;
  /** Hears of agents, threads and messages beside the answers. */
  onEvent?: ((event: HelixEvent) => void) | undefined;
  /** Hears every repair and oddity that was tolerated. */
  onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
  /** Hears, whole, the errors that no caller is told. Default: nobody; on Node, `helixServer` writes them to stderr. */
  onError?: ((error: unknown, method: string | undefined) => void) | undefined;
}
