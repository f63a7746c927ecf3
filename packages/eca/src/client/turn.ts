import type { EcaParams, EcaResult } from "@editwire/eca-schema";
import { AskedTurn, type AskedTurnOptions } from "@editwire/session";
import type { EcaStopReason, EcaTurnEvent, EcaUpdateEvent } from "./events.js";

/**
 * One turn: iterate it for its events, of which the last is `stop`, or await `stopReason` alone. Leaving the loop early
 * cancels the turn. The iteration throws what the prompt threw.
 */
export interface EcaTurn extends AsyncIterable<EcaTurnEvent> {
  /**
   * How the turn ended. Rejects with the server's `RemoteError`, or a `WireError` when the connection is lost. When
   * nobody iterates the turn, its events are not kept.
   */
  readonly stopReason: Promise<EcaStopReason>;
  /** The server's answer to the prompt, with the id and the model. It comes before or after the end of the turn. */
  readonly answer: Promise<EcaResult<"chat/prompt">>;
  /** Sends `chat/promptStop`. The turn then ends as `cancelled`, within `cancelGraceMs`. */
  cancel(): Promise<void>;
}

/** An `EcaTurn` with the part that the connection uses. */
export class ClientTurn extends AskedTurn<EcaUpdateEvent, EcaStopReason> {
  readonly requestId: string;
  /** True when content of this turn was received, or its prompt answered. A `finished` is its own from then on. */
  begun = false;
  readonly #unanswered: AbortController;
  #finished = false;
  /** True while the answer to the prompt was received and what it says is not known yet. */
  #reading = false;

  constructor(requestId: string, options: AskedTurnOptions) {
    const unanswered = new AbortController();
    const onEnd = (): void => {
      if (!this.#finished) unanswered.abort();
      options.onEnd();
    };
    super({ ...options, onEnd });
    this.requestId = requestId;
    this.#unanswered = unanswered;
  }

  /** Aborts when the turn ends before the server ends it. A late answer must not name the session. */
  get unanswered(): AbortSignal {
    return this.#unanswered.signal;
  }

  /**
   * Says whether a content belongs to this turn. Servers that do not repeat the `requestId` have one turn at a time.
   */
  owns({ requestId }: EcaParams<"chat/contentReceived">): boolean {
    return requestId === undefined || String(requestId) === this.requestId;
  }

  /** The answer was received. It may be a refusal, so a `finished` right behind it waits for `run`. */
  replied(): void {
    this.begun = this.#reading = true;
  }

  /** The answer says that the turn runs. */
  run(): void {
    this.#reading = false;
    if (this.#finished) this.end("end_turn");
  }

  /** Ends the turn because the server says so. Its prompt may still be answered. */
  finish(): void {
    this.#finished = true;
    if (!this.#reading) this.end("end_turn");
  }
}
