/** A value that changes as a whole, and who wants to know. */
export class Store<State> {
  state: State;
  readonly #listeners = new Set<(state: State) => void>();
  readonly #onError: (error: unknown) => void;

  constructor(state: State, onError: (error: unknown) => void) {
    this.state = state;
    this.#onError = onError;
  }

  subscribe(listener: (state: State) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  set(state: State): void {
    if (state === this.state) return;
    this.state = state;
    for (const listener of this.#listeners) {
      try {
        listener(state);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
