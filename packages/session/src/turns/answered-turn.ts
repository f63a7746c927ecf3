import { isWireError, WireError } from "@editwire/core/errors";
import { isAbort } from "./aborts.js";
import { startHoldingTimer, startTimer } from "@editwire/core/timers";

/** How the handler of a turn ended. `cancelled` wins over what it returned or threw. */
export type TurnOutcome<Result> =
  | { readonly type: "returned"; readonly result: Result }
  | { readonly type: "failed"; readonly error: unknown }
  | { readonly type: "cancelled" };

/** How a turn runs. */
export interface RunOptions<Result, End> {
  /** Milliseconds that the handler has to return after a cancel. It is then left behind. */
  readonly cancelGraceMs: number;
  /** Whether that time keeps the process alive, for a turn that may be all that runs in it. Default false. */
  readonly holdsProcess?: boolean | undefined;
  /** Says how the turn ended, to the peer. Meanwhile `check` refuses the handler's sends. */
  readonly end: (outcome: TurnOutcome<Result>) => End | Promise<End>;
  /** Gets what the handler throws after a cancel, unless it is an abort error. */
  readonly onError: (error: unknown) => void;
}

/** One turn of the answering side: it has a signal, can be cancelled, and ends exactly once. */
export class AnsweredTurn {
  readonly #name: string;
  readonly #controller = new AbortController();
  readonly #open = new Set<() => void | Promise<void>>();
  #state: "open" | "ending" | "ended" = "open";
  #cancelled = false;
  /** Called when a turn that runs is cancelled. */
  #onCancel = (): void => {};

  /** @param name What error texts call it, such as `the turn of session s1`. */
  constructor(name: string) {
    this.#name = name;
  }

  /** Aborts when the turn is cancelled. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True after a cancel. It costs less than `signal.aborted`: a signal is made when it is first read. */
  get cancelled(): boolean {
    return this.#cancelled;
  }

  /** `open` while the handler may send, `ending` while the turn says how it ended. */
  get state(): "open" | "ending" | "ended" {
    return this.#state;
  }

  /**
   * Ends the turn as `cancelled`, now or as soon as it runs; `cause` becomes that of the signal's reason. Returns false
   * when it was cancelled before or is over.
   */
  cancel(cause?: WireError): boolean {
    if (this.#cancelled || this.#state !== "open") return false;
    this.#cancelled = true;
    this.#controller.abort(new WireError("aborted", `${this.#name} was cancelled`, { cause }));
    this.#onCancel();
    return true;
  }

  /** Throws `WireError("closed")` when the turn is over. `method` leads the text. */
  check(method: string): void {
    if (this.#state !== "open") throw new WireError("closed", `${method}: ${this.#name} has ended`);
  }

  /** Calls `close` when the turn ends, unless the returned function is called first. For open tool calls. */
  opened(close: () => void | Promise<void>): () => void {
    this.#open.add(close);
    return () => void this.#open.delete(close);
  }

  /** Runs the handler, closes what is open, and returns what `end` returns. A cancelled turn does not start. */
  async run<Result, End>(handler: () => Result | Promise<Result>, options: RunOptions<Result, End>): Promise<End> {
    const outcome = this.#cancelled ? { type: "cancelled" as const } : await this.#outcome(handler, options);
    this.#state = "ending";
    try {
      for (const close of this.#open) await ignoreLostPeer(close);
      return await options.end(outcome);
    } finally {
      this.#state = "ended";
      this.#open.clear();
    }
  }

  async #outcome<Result>(
    handler: () => Result | Promise<Result>,
    { cancelGraceMs, holdsProcess, onError }: Omit<RunOptions<Result, unknown>, "end">,
  ): Promise<TurnOutcome<Result>> {
    const start = holdsProcess === true ? startHoldingTimer : startTimer;
    let stopTimer = (): void => {};
    const graceOver = new Promise<{ type: "cancelled" }>((resolve) => {
      this.#onCancel = () => (stopTimer = start(cancelGraceMs, () => resolve({ type: "cancelled" })));
    });
    const handled = (async (): Promise<TurnOutcome<Result>> => {
      try {
        const result = await handler();
        return this.#cancelled ? { type: "cancelled" } : { type: "returned", result };
      } catch (error) {
        if (!this.#cancelled) return { type: "failed", error };
        if (!isAbort(error)) onError(error);
        return { type: "cancelled" };
      }
    })();
    const outcome = await Promise.race([handled, graceOver]);
    stopTimer();
    this.#onCancel = () => {};
    return outcome;
  }
}

/** Without the peer, there is nobody to send to. */
async function ignoreLostPeer(action: () => void | Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!isWireError(error, "closed") && !isWireError(error, "overloaded")) throw error;
  }
}
