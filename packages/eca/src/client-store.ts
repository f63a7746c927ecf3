import type { ChatConfig, ChatContext } from "@editwire/eca-schema";
import { Store } from "@editwire/session";
import { ClientEntries, isShown } from "./client-entries.js";
import { emptySession, entriesOf, reduceSession, type SessionAction, type SessionState } from "./client-state.js";
import type { ToolCallState } from "./client-tool-call.js";

/** The actions that neither read nor change the entries. */
const elsewhere: ReadonlySet<SessionAction["type"]> = new Set(["started", "asked", "contexts", "titled", "configured"]);

/** The actions after which there is nothing older. */
const emptying: ReadonlySet<SessionAction["type"]> = new Set(["cleared", "deleted"]);

/**
 * The state of a session. Its immutable entries are made when somebody reads the state or is subscribed: to make them
 * for each content would copy all entries each time.
 */
export class ClientStore {
  readonly #store: Store<SessionState>;
  readonly #config: Store<ChatConfig>;
  #entries = new ClientEntries();
  /** True when earlier entries of `#entries` were dropped. */
  #trimmed = false;
  /** True when the entries are newer than those of the store's state. */
  #isStale = false;

  /** `onError` gets what a listener throws. */
  constructor(contexts: readonly ChatContext[] | undefined, onError: (error: unknown) => void) {
    this.#store = new Store(emptySession(contexts), onError);
    this.#config = new Store(this.#store.state.config, onError);
  }

  /** The current state. */
  get state(): SessionState {
    if (this.#isStale) {
      this.#isStale = false;
      this.#store.set({ ...this.#store.state, entries: this.#entries.list });
    }
    return this.#store.state;
  }

  /** True when the state lacks older entries, because it had no room for them. */
  get trimmed(): boolean {
    return this.#trimmed || this.#entries.trimmed;
  }

  /** True while a turn runs; without the cost of a whole state. */
  get running(): boolean {
    return this.#store.state.running;
  }

  /** The contexts that are sent with prompts, without the cost of a whole state. */
  get contexts(): readonly ChatContext[] {
    return this.#store.state.contexts;
  }

  /** The configuration of this chat alone, without the cost of a whole state. */
  get config(): ChatConfig {
    return this.#config.state;
  }

  /** A tool call, without the cost of a whole state. */
  toolCall(id: string): ToolCallState | undefined {
    return this.#entries.toolCall(id);
  }

  /** Calls `listener` with each new state. Returns a function that ends this. */
  subscribe(listener: (state: SessionState) => void): () => void {
    void this.state; // what came before is not new
    return this.#store.subscribe(listener);
  }

  /** Calls `listener` with each new configuration. Returns a function that ends this. */
  onConfig(listener: (config: ChatConfig) => void): () => void {
    return this.#config.subscribe(listener);
  }

  /** Changes the state. */
  update(action: SessionAction): void {
    this.#change(action);
    this.#config.set(this.#store.state.config);
  }

  #change(action: SessionAction): void {
    if (action.type === "received" && isShown(action.received.content)) {
      this.#entries.add(action.received.role, action.received.content);
      this.#isStale = true;
      if (this.#store.watched) void this.state;
    } else if (endsTurn(action)) {
      this.#entries.endTurn();
      this.#isStale = !this.#store.watched;
      const ended = { ...this.#store.state, running: false, progress: undefined };
      this.#store.set(this.#isStale ? ended : { ...ended, entries: this.#entries.list });
    } else if (leavesEntries(action)) {
      this.#store.set(reduceSession(this.#store.state, action));
    } else {
      const before = this.state;
      const state = reduceSession(before, action);
      const size = action.type === "earlier" ? entriesOf(action.contents).length + before.entries.length : 0;
      this.#trimmed = !emptying.has(action.type) && (this.trimmed || state.entries.length < size);
      this.#entries = new ClientEntries(state.entries);
      this.#store.set(state);
    }
  }
}

function endsTurn(action: SessionAction): boolean {
  if (action.type !== "received") return action.type === "ended";
  const { content } = action.received;
  return content.type === "progress" && content.state === "finished";
}

function leavesEntries({ type }: SessionAction): boolean {
  return type === "received" || elsewhere.has(type);
}
