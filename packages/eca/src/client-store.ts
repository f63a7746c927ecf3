import type { ChatContentReceivedParams, ChatContext } from "@editwire/eca-schema";
import { Store } from "@editwire/session";
import { emptySession, reduceSession, type SessionAction, type SessionState } from "./client-state.js";

/** Characters of text that wait before they become part of the state. */
const maxUnreadChars = 65_536;

/**
 * The state of a session. Text becomes part of it when somebody reads it or is subscribed, and before anything else does:
 * to add each piece by itself would copy all entries each time.
 */
export class ClientStore {
  readonly #store: Store<SessionState>;
  /** The first piece of the text that waits. All pieces have its role. */
  #first: ChatContentReceivedParams | undefined;
  #texts: string[] = [];
  #chars = 0;

  /** `onError` gets what a listener throws. */
  constructor(contexts: readonly ChatContext[] | undefined, onError: (error: unknown) => void) {
    this.#store = new Store(emptySession(contexts), onError);
  }

  /** The current state. */
  get state(): SessionState {
    this.#settle();
    return this.#store.state;
  }

  /** The state, perhaps without the latest text. */
  get settled(): SessionState {
    return this.#store.state;
  }

  /** Calls `listener` with each new state. Returns a function that ends this. */
  subscribe(listener: (state: SessionState) => void): () => void {
    this.#settle();
    return this.#store.subscribe(listener);
  }

  /** Changes the state. */
  update(action: SessionAction): void {
    if (action.type === "received" && !this.#store.watched && this.#joins(action.received)) return;
    this.#store.set(reduceSession(this.state, action));
  }

  /** Takes a piece of text that goes on where the last one ended. A message of the user comes in one piece. */
  #joins(received: ChatContentReceivedParams): boolean {
    const { role, content } = received;
    if (content.type !== "text" || role === "user" || this.#chars >= maxUnreadChars) return false;
    if (this.#first !== undefined && this.#first.role !== role) return false;
    this.#first ??= received;
    this.#texts.push(content.text);
    this.#chars += content.text.length;
    return true;
  }

  #settle(): void {
    const first = this.#first;
    if (first?.content.type !== "text") return;
    const received = { ...first, content: { ...first.content, text: this.#texts.join("") } };
    this.#first = undefined;
    this.#texts = [];
    this.#chars = 0;
    this.#store.set(reduceSession(this.#store.state, { type: "received", received }));
  }
}
