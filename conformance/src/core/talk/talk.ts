import type { Pattern } from "../../trace/pattern.js";
import type { EventEntry } from "../../trace/trace.js";
import type { Call } from "./call.js";
import type { Conversation, Received, Responder } from "./conversation.js";
import type { ErrorBody } from "./message.js";
import type { WaitAfter, WaitOptions } from "./waits.js";

/** A request or notification of the target. */
export interface Incoming {
  readonly id: unknown;
  readonly method: string;
  readonly params: Record<string, unknown>;
  /** Position in the trace. */
  readonly at: number;
}

/** A message that must not arrive. Without fields: any message. */
export interface Forbidden {
  readonly method?: string | undefined;
  readonly params?: Pattern;
  readonly message?: Pattern;
}

/**
 * The sends and waits of one case on one connection. A pattern may match any message that the case has not consumed
 * yet.
 */
export interface Talk {
  readonly conversation: Conversation;
  readonly send: {
    request(method: string, params?: unknown): Call;
    notify(method: string, params?: unknown): void;
    /**
     * A deliberately invalid message, which the suite does not check. The answer to an invalid request can be awaited.
     */
    invalid(message: unknown): Call;
    bytes(bytes: Uint8Array | string): void;
  };
  readonly expect: {
    /** A request; by default also one that arrived before. */
    request(method: string, params?: Pattern, options?: WaitAfter): Promise<Incoming>;
    /** A notification; by default also one that arrived before. */
    notify(method: string, params?: Pattern, options?: WaitAfter): Promise<Incoming>;
    /** Any message, as JSON. */
    message(pattern: Pattern, options?: WaitOptions): Promise<unknown>;
    /** An event other than a message, by default one from now on, such as a `pong` on a WebSocket. */
    event(name: string, options?: WaitAfter): Promise<EventEntry>;
    /** The target closes its end, or exits. */
    closed(options?: WaitOptions): Promise<{ reason: string; code?: number | null | undefined }>;
  };
  reply(request: Incoming, result: unknown): void;
  refuse(request: Incoming, error: ErrorBody): void;
  /** Answers every request of a method from now to the end of the case. */
  answer(method: string, responder: Responder): void;
  /**
   * Waits for `ms` milliseconds. Rejects with an `ExpectationError` if a matching message arrives. Consumes nothing.
   */
  quiet(ms: number, forbidden?: Forbidden): Promise<void>;
  /** Waits between two steps of a slow script. */
  pace(ms: number): Promise<void>;
  /**
   * The requests and notifications that the target sent since the case began, without those that the case has consumed.
   */
  rest(method?: string, params?: Pattern): Incoming[];
  /** Everything that the target sent since the case began. */
  history(): readonly Received[];
  /** Position in the trace of the last entry. */
  now(): number;
}
