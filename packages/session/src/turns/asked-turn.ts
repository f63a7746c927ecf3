import type { Diagnostic } from "@editwire/core";
import { onAbort } from "@editwire/core/aborts";
import { isWireError } from "@editwire/core/errors";
import { Gate } from "@editwire/core/gate";
import { startTimer } from "@editwire/core/timers";
import { EventQueue } from "./event-queue.js";

/** Milliseconds before a cancel is sent again. Each further pause is twice as long. */
const firstRepeatMs = 500;

/** Milliseconds that a question waits for a reader that has stopped to read. */
const maxReaderPauseMs = 5_000;

/** The last event of a turn. */
export interface StopEvent<StopReason extends string = string> {
  readonly type: "stop";
  readonly stopReason: StopReason;
}

/** How a turn of the asking side is cancelled and ended. */
export interface AskedTurnOptions {
  /** The method that starts the turn, for diagnostics. */
  readonly method: string;
  /** Sends the cancel message. It is called again, with growing pauses, while the turn does not end. */
  readonly sendCancel: () => void | Promise<void>;
  /** Milliseconds that the peer has to end a cancelled turn. The turn then ends without it. */
  readonly cancelGraceMs: number;
  /** Called once, before anybody is notified of the end. */
  readonly onEnd: () => void;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
  readonly onError: (error: unknown) => void;
  /** Aborting it cancels the turn. */
  readonly signal?: AbortSignal | undefined;
  /** Joins texts that wait for the reader, while it is eight events or more behind. Default false. */
  readonly joinTexts?: boolean | undefined;
}

/** The latter of two events that are texts, with both texts. */
function joinedText<Event>(waiting: Event, next: Event): Event | undefined {
  return isText(waiting) && isText(next) ? { ...next, text: waiting.text + next.text } : undefined;
}

function isText(event: unknown): event is { readonly type: "text"; readonly text: string } {
  return (event as { readonly type?: unknown }).type === "text";
}

/** A turn as an application sees it: an async iterable of events, of which the last one is `stop`. */
export interface TurnStream<Event, StopReason> extends AsyncIterable<Event> {
  /** How the turn ended. Rejects when the prompt failed. When nobody iterates the turn, its events are not kept. */
  readonly stopReason: Promise<StopReason>;
  /** Cancels the turn. It then ends as `cancelled`, within `cancelGraceMs`. Resolves when the cancel was sent. */
  cancel(): Promise<void>;
}

/** One turn of the asking side. It ends exactly once; after a cancel it always ends as `cancelled`. */
export class AskedTurn<Event, StopReason extends string> {
  /** How the turn ended. */
  readonly stopReason: Promise<StopReason | "cancelled">;
  readonly #options: AskedTurnOptions;
  readonly #queue: EventQueue<Event | StopEvent<StopReason | "cancelled">>;
  /** Aborts when the turn is cancelled or ends. */
  readonly #quit = new LazySignal();
  readonly #givenUp = new LazySignal();
  #cancelled = false;
  #ended = false;
  /** True while the prompt is not answered. */
  #waits = false;
  #started = false;
  #stopTimers: (() => void)[] = [];
  /** Open when the cancel was sent again, or need not be. */
  readonly #repeated = new Gate();
  #isRepeated = false;
  readonly #stopWatching: (() => void) | undefined;
  #resolve: (reason: StopReason | "cancelled") => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(options: AskedTurnOptions) {
    this.#options = options;
    this.#queue = new EventQueue(options.joinTexts === true ? joinedText : undefined);
    this.stopReason = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.stopReason.catch(() => {}); // an application that iterates gets the error there
    const { signal } = options;
    if (signal === undefined) return;
    if (signal.aborted) void this.cancel();
    else this.#stopWatching = onAbort(signal, () => void this.cancel());
  }

  /** True after a cancel. */
  get cancelled(): boolean {
    return this.#cancelled;
  }

  /** True when the turn has ended. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Aborts when the turn is cancelled or ends: its open questions are void then. */
  get signal(): AbortSignal {
    return this.#quit.signal;
  }

  /** Aborts when the turn ends before its request was answered: the request can then be given up. */
  get givenUp(): AbortSignal {
    return this.#givenUp.signal;
  }

  /** The turn for the application. */
  get stream(): TurnStream<Event | StopEvent<StopReason | "cancelled">, StopReason | "cancelled"> {
    return {
      stopReason: this.stopReason,
      cancel: () => this.cancel(),
      [Symbol.asyncIterator]: () => this.#queue.read(() => void this.cancel()),
    };
  }

  /** Called before the prompt is sent. Returns false for a turn that was cancelled before: it ends without a prompt. */
  start(): boolean {
    this.#started = !this.#cancelled;
    if (this.#cancelled && !this.ended) this.#endCancelled();
    return this.#started;
  }

  /**
   * Ends the turn as its prompt is answered: with what `answer` resolves with, or rejects with. `undefined` leaves the
   * end to `end`, for peers that say it in a message of its own.
   */
  async follow(answer: Promise<StopReason | undefined>): Promise<void> {
    this.#waits = true;
    try {
      const reason = await answer;
      this.#waits = false;
      if (reason !== undefined) this.end(reason);
    } catch (error) {
      this.#waits = false;
      this.fail(error);
    }
  }

  /** Takes an event of `chars` characters. A promise comes back when the reader is behind. */
  push(event: Event, chars?: number): void | Promise<void> {
    return this.#queue.push(event, chars);
  }

  /**
   * Resolves when the reader has begun to handle the events so far: at once when nobody reads, and at the latest after
   * 5 seconds, or when the turn is cancelled or ends.
   */
  async handed(): Promise<void> {
    if (this.#quit.aborted) return;
    let stops: (() => void)[] = [];
    const givenUp = new Promise<void>((resolve) => {
      stops = [startTimer(maxReaderPauseMs, resolve), onAbort(this.signal, resolve)];
    });
    await Promise.race([this.#queue.handed(), givenUp]);
    for (const stop of stops) stop();
  }

  /** Ends the turn with what the peer gave as its reason. A cancelled turn ends as `cancelled`. */
  end(reason: StopReason): void {
    if (this.ended) return;
    const stopReason = this.#cancelled ? "cancelled" : reason;
    this.#finish();
    this.#queue.end({ type: "stop", stopReason });
    this.#resolve(stopReason);
  }

  /** Ends the turn with an error. A cancelled turn ends as `cancelled`, and the error becomes a diagnostic. */
  fail(error: unknown): void {
    if (this.ended) return;
    if (this.#cancelled) {
      if (!isWireError(error))
        this.#diagnose("cancel-as-error", `A cancelled turn ended in an error: ${String(error)}`);
      return this.#endCancelled();
    }
    this.#finish();
    this.#queue.fail(error);
    this.#reject(error);
  }

  /** Cancels the turn. Resolves when the cancel was sent. */
  async cancel(): Promise<void> {
    if (this.#cancelled || this.ended) return;
    this.#cancelled = true;
    this.#quit.abort();
    if (!this.#started) return;
    const { cancelGraceMs } = this.#options;
    this.#stopTimers.push(startTimer(cancelGraceMs, () => this.#giveUp()));
    this.#repeatAfter(firstRepeatMs);
    await this.resendCancel();
  }

  /**
   * Cancels the turn before its connection is closed. Resolves when it has ended, or after half a second, when the
   * cancel was sent a second time: a peer may lose one that follows its prompt too closely.
   */
  async cancelToClose(): Promise<void> {
    await this.cancel();
    while (this.#started && !this.ended && !this.#isRepeated) await this.#repeated.wait();
  }

  /** Sends the cancel of a cancelled turn again, for a peer that could not know the turn before. */
  async resendCancel(): Promise<void> {
    if (!this.#cancelled || this.ended) return;
    try {
      await this.#options.sendCancel();
    } catch (error) {
      if (!isWireError(error, "closed")) this.#options.onError(error);
    }
  }

  #repeatAfter(ms: number): void {
    const repeat = async (): Promise<void> => {
      this.#repeatAfter(ms * 2);
      await this.resendCancel();
      this.#isRepeated = true;
      this.#repeated.open();
    };
    if (!this.ended) this.#stopTimers.push(startTimer(ms, repeat));
  }

  #giveUp(): void {
    const { cancelGraceMs } = this.#options;
    this.#diagnose("cancel-unanswered", `The peer did not end a cancelled turn within ${cancelGraceMs} ms`);
    this.#endCancelled();
  }

  #endCancelled(): void {
    this.#finish();
    this.#queue.end({ type: "stop", stopReason: "cancelled" });
    this.#resolve("cancelled");
  }

  #finish(): void {
    this.#ended = true;
    for (const stop of this.#stopTimers) stop();
    this.#stopTimers = [];
    this.#stopWatching?.();
    if (this.#waits) this.#givenUp.abort();
    this.#quit.abort();
    this.#repeated.open();
    this.#options.onEnd();
  }

  #diagnose(id: string, message: string): void {
    this.#options.onDiagnostic({ id, method: this.#options.method, message });
  }
}

/** A signal that is made when it is read: most turns end without anybody watching them. */
class LazySignal {
  #controller: AbortController | undefined;
  #isAborted = false;

  get aborted(): boolean {
    return this.#isAborted;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isAborted) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  abort(): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#controller?.abort();
  }
}
