import { WireError } from "@editwire/core/errors";
import { AskedTurn, type AskedTurnOptions } from "../turns/asked-turn.js";
import type { Listeners } from "../options/listeners.js";

/** An application's view of a session of the asking side, in every binding. */
export interface SessionSide<State> {
  /** All that a view renders. */
  readonly state: State;
  /**
   * Calls `listener` with each new state. Returns a function that ends this. It needs no `this`, so that
   * `useSyncExternalStore` of React and its like can take it.
   */
  readonly subscribe: (listener: (state: State) => void) => () => void;
  /** Cancels the running turn, if there is one. */
  cancel(): Promise<void>;
}

/** How sessions of the asking side work. */
export interface SessionLink extends Listeners {
  /** Milliseconds that the peer has to end a cancelled turn. The turn then ends without it. */
  readonly cancelGraceMs: number;
}

/** How a turn is started: its cancel message goes by `cancelMethod`. */
export interface TurnStart extends Pick<AskedTurnOptions, "method" | "sendCancel" | "onEnd" | "signal" | "joinTexts"> {
  readonly cancelMethod: string;
}

interface StateView<State> {
  readonly value: State;
  subscribe(listener: (state: State) => void): () => void;
}

/** A session of the asking side: its state, and one turn at a time. */
export abstract class AskingSession<
  State,
  Event,
  StopReason extends string,
  Turn extends AskedTurn<Event, StopReason> = AskedTurn<Event, StopReason>,
> implements SessionSide<State>
{
  /** `undefined` as long as nobody has named the session. */
  abstract readonly id: string | undefined;
  /** The running turn. */
  turn: Turn | undefined;
  readonly #view: StateView<State>;
  readonly #link: SessionLink;
  readonly #make: (options: AskedTurnOptions) => Turn;

  /** `make` makes a turn. Default: an `AskedTurn`. */
  constructor(view: StateView<State>, link: SessionLink, make?: (options: AskedTurnOptions) => Turn) {
    this.#view = view;
    this.#link = link;
    this.#make = make ?? ((options) => new AskedTurn(options) as Turn);
  }

  get state(): State {
    return this.#view.value;
  }

  readonly subscribe = (listener: (state: State) => void): (() => void) => this.#view.subscribe(listener);

  async cancel(): Promise<void> {
    await this.turn?.cancel();
  }

  /** Throws `WireError("invalid_params")` while a turn runs. */
  checkIdle(method: string): void {
    if (this.turn === undefined) return;
    const session = this.id === undefined ? "the session" : `session ${this.id}`;
    const busy = this.turn.cancelled
      ? "has a cancelled turn that has not ended; await its stopReason"
      : "has a running turn; await or cancel it";
    throw new WireError("invalid_params", `${method}: ${session} ${busy} first`);
  }

  /** Makes the turn that runs from now on. Throws `WireError("invalid_params")` while another one does. */
  begin({ method, cancelMethod, sendCancel, onEnd, signal, joinTexts }: TurnStart): Turn {
    this.checkIdle(method);
    const { cancelGraceMs, onDiagnostic, onError } = this.#link;
    const turn = this.#make({
      method,
      sendCancel,
      signal,
      joinTexts,
      cancelGraceMs,
      onDiagnostic,
      onError: (error) => onError(error, cancelMethod),
      onEnd: () => {
        if (this.turn === turn) this.turn = undefined;
        onEnd();
      },
    });
    return (this.turn = turn);
  }
}
