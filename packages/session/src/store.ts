/** An immutable value, replaced as a whole, with listeners. */
export class Store<State> {
  #state: State;
  readonly #listeners = new Set<(state: State) => void>();
  readonly #onError: (error: unknown) => void;

  /** `onError` gets what a listener throws. */
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
    const own = (state: State): void => listener(state); // the same function may be subscribed twice
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Replaces the value. Listeners are not called when it is the same one. */
  set(state: State): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#listeners) {
      try {
        listener(state);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
