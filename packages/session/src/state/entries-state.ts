import { Store } from "./store.js";

/** The entries of a state, which change in place. */
interface Listed<State extends { readonly entries: readonly unknown[] }> {
  /** A copy. */
  readonly all: State["entries"];
}

/**
 * The state of a session: its entries, and other fields. The immutable value is made when somebody reads it or is
 * subscribed: to make one for each message would copy all entries each time.
 */
export class EntriesState<State extends { readonly entries: readonly unknown[] }, List extends Listed<State>> {
  readonly entries: List;
  readonly #store: Store<State>;
  /** The state with entries that may be older. */
  #rest: State;
  /** True when the store's state is not the current one. */
  #isStale = false;
  #hasNewEntries = false;

  /** `entries` are those of `state`. `onError` gets what a listener throws. */
  constructor(state: State, entries: List, onError: (error: unknown) => void) {
    this.#rest = state;
    this.entries = entries;
    this.#store = new Store(state, onError);
  }

  /** The current state. */
  get value(): State {
    if (this.#isStale) this.#publish();
    return this.#store.state;
  }

  /** The other fields, without the cost of a whole state. */
  get rest(): Readonly<Omit<State, "entries">> {
    return this.#rest;
  }

  /** Calls `listener` with each new state. Returns a function that ends this. */
  subscribe(listener: (state: State) => void): () => void {
    if (this.#isStale) this.#publish(); // what came before is not new
    return this.#store.subscribe(listener);
  }

  /** Changes fields. Values that are all the same make no new state. */
  set(fields: Partial<Omit<State, "entries">>, hasNewEntries = false): void {
    const rest: Readonly<Record<string, unknown>> = this.#rest;
    if (!hasNewEntries && Object.entries(fields).every(([key, value]) => rest[key] === value)) return;
    this.#rest = { ...this.#rest, ...fields };
    this.changed(hasNewEntries);
  }

  /** Something changed: by default, only what is not part of the state. */
  changed(hasNewEntries = false): void {
    if (hasNewEntries) this.#hasNewEntries = true;
    this.#isStale = true;
    if (this.#store.watched) this.#publish();
  }

  #publish(): void {
    const entries = this.#hasNewEntries ? this.entries.all : this.#store.state.entries;
    this.#isStale = this.#hasNewEntries = false;
    this.#store.set({ ...this.#rest, entries });
  }
}
