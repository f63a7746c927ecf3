import type { ChatContentReceivedParams, ChatPromptResult } from "@editwire/eca-schema";
import { EventQueue } from "@editwire/session";
import type { StopReason, TurnEvent } from "./client-events.js";

/**
 * One turn of a chat: iterate it for its events, of which the last is `stop`; or await `stopReason` alone.
 * Leaving the loop early stops the turn. The iteration throws what the prompt threw.
 */
export interface EcaTurn extends AsyncIterable<TurnEvent> {
  /**
   * How the turn ended. Rejects with the server's `RemoteError`, or a `WireError` when the connection is lost.
   * A turn that nobody iterates keeps no events.
   */
  readonly stopReason: Promise<StopReason>;
  /** The server's answer to the prompt, with the chat's id and the model; it comes before or after the turn's end. */
  readonly answer: Promise<ChatPromptResult>;
  /** Sends `chat/promptStop`; the turn then ends as `cancelled`. */
  cancel(): Promise<void>;
}

/** The receiving side of a turn. */
export class ClientTurn {
  readonly requestId: string;
  readonly queue = new EventQueue<TurnEvent>();
  readonly stopReason: Promise<StopReason>;
  readonly #controller = new AbortController();
  readonly #unanswered = new AbortController();
  #settle: { resolve: (reason: StopReason) => void; reject: (error: unknown) => void } | undefined;
  /** Something of this turn was received, or its prompt was answered: a `finished` from now on is its own. */
  begun = false;
  /** This side wants the turn to end. */
  stopping = false;
  ended = false;

  constructor(requestId: string) {
    this.requestId = requestId;
    this.stopReason = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
    this.stopReason.catch(() => {}); // whoever iterates hears of it there
  }

  /** Aborts once the turn is stopped or has ended. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Says whether a content belongs to this turn: servers that repeat the `requestId` tell, of others it is assumed. */
  owns({ requestId }: ChatContentReceivedParams): boolean {
    return requestId === undefined || String(requestId) === this.requestId;
  }

  /** Aborts when the turn ended although its prompt was never answered. The late answer must not name the session. */
  get unanswered(): AbortSignal {
    return this.#unanswered.signal;
  }

  giveUp(): void {
    this.#unanswered.abort();
  }

  /** This side has lost interest in open questions. */
  quit(): void {
    this.#controller.abort();
  }

  finish(stopReason: StopReason): void {
    this.ended = true;
    this.quit();
    this.queue.end({ type: "stop", stopReason });
    this.#settle?.resolve(stopReason);
  }

  fail(error: unknown): void {
    this.ended = true;
    this.quit();
    this.queue.fail(error);
    this.#settle?.reject(error);
  }
}
