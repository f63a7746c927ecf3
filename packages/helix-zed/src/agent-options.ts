import type { Diagnostic } from "@editwire/core";
import type { HelixZedProfile, Usage } from "@editwire/helix-zed-schema";
import type { Transport } from "@editwire/transport";
import type { ZedTurn } from "./agent-turn.js";
import type { BackoffOptions } from "./backoff.js";

/** What an agent knows of a thread that the host asks for. */
export interface NewThread {
  /** The host's session; it is told for this moment only. */
  readonly sessionId: string;
  /** 2026: which agent the host asks for. */
  readonly agentName: string | undefined;
  /** Aborts when the host cancels the request or the agent is closed. */
  readonly signal: AbortSignal;
}

/** An agent: only `prompt` is required. */
export interface ZedAgentHandlers {
  /**
   * Answers one message of the user. Turns of one thread run one after another, threads side by side. The host hears that the
   * answer is complete once this returns; the dialect 2026 hears of an error instead when it throws.
   */
  prompt(turn: ZedTurn): void | TurnResult | Promise<void | TurnResult>;
  /** Creates a thread and gives its id, which no other thread may have had. Default: a UUID. What is no id, or another thread's, fails the turn. */
  newThread?(thread: NewThread): string | Promise<string>;
  /**
   * Takes up a thread that this process has not created or loaded; it is not asked twice at once for the same. Throwing says that it
   * cannot be used, under the error's text: after "no such thread" a host of this package begins a new one. Default: any thread will do.
   */
  loadThread?(threadId: string): void | Promise<void>;
}

/** What a turn has to say at its end. */
export interface TurnResult {
  /** 2026: what it cost. */
  usage?: Usage | undefined;
}

/** The way to the host: whether it is there, why not, and when it is tried again. */
export type ConnectionState =
  | { readonly connected: true }
  | { readonly connected: false; readonly reason: Error; readonly retryMs: number };

/** How an agent reaches its host and speaks. */
export interface ZedAgentOptions {
  /** Makes one connection to the host. */
  dial: () => Promise<Transport>;
  /** The id under which it dials; named in messages that belong to no session. */
  sessionId: string;
  /** 2026: what the agent calls itself. Default `editwire`. */
  agentName?: string | undefined;
  /** The dialect to speak. Default `helixZedProfiles.spec`; both read both. */
  profile?: HelixZedProfile | undefined;
  /** Refuse what the deviations table would repair. Default false. */
  strict?: boolean | undefined;
  /** How long to wait before dialling again. */
  reconnect?: BackoffOptions | undefined;
  /** Milliseconds between two updates of an answer: what is appended meanwhile leaves with the next one. Default 100. */
  flushMs?: number | undefined;
  /** Milliseconds that a cancelled turn's handlers have to return before the turn ends without them. Default 10,000. */
  cancelGraceMs?: number | undefined;
  /** Messages that may wait for the running turn of a thread. Default 1,000; further ones fail. */
  maxQueued?: number | undefined;
  /** Hears of the connection. */
  onConnection?: ((state: ConnectionState) => void) | undefined;
  /** Hears every repair and oddity that was tolerated. */
  onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
  /** Hears, whole, what the host is not told: errors of handlers and unreadable messages. Default: nobody; on Node, `zedAgent` writes them to stderr. */
  onError?: ((error: unknown, method: string | undefined) => void) | undefined;
}
