import { callListener } from "../options/listeners.js";

/** Values in a row that listeners set while they are called. A listener that always sets one would never end. */
const maxRounds = 1_000;

/** An immutable value, replaced as a whole, with listeners. */
export class Store<State> {
  #state: State;
  readonly #listeners = new Set<(state: State) => unknown>();
  readonly #onError: (error: unknown) => void;
  /** Values that listeners set while listeners are called. */
  readonly #next: State[] = [];
  #isCalling = false;

  /** `onError` gets the errors of listeners. */
  constructor(state: State, onError: (error: unknown) => void) {
    this.#state = state;
    this.#onError = onError;
  }

  /** The current value. */
  get state(): State {
    return this.#state;
  }

  /** True while there are listeners. */
  get watched(): boolean {
    return this.#listeners.size > 0;
  }

  /** Calls `listener` with each new value. Returns a function that ends this. */
  subscribe(listener: (state: State) => void): () => void {
    const own = (state: State): unknown => listener(state); // the same function may be subscribed twice
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /**
   * Replaces the value. Listeners are not called when it is the same one. A value that a listener sets reaches all of
   * them after the current one, so that none gets an older value last.
   */
  set(state: State): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#next.push(state);
    if (this.#isCalling) return;
    this.#isCalling = true;
    for (let round = 0; this.#next.length > 0 && round < maxRounds; round++) this.#call(this.#next.shift() as State);
    this.#isCalling = false;
    if (this.#next.length === 0) return;
    this.#next.length = 0;
    this.#onError(
      new Error(`a listener changed the state in each of ${maxRounds} calls; no listener gets the last one`),
    );
  }

  /** Calls those that listen now: a listener may end itself and others, and one that it adds gets the next value. */
  #call(state: State): void {
    for (const listener of [...this.#listeners])
      if (this.#listeners.has(listener)) callListener(listener, this.#onError, state);
  }
}
