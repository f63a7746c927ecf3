import type { MessageRole } from "@editwire/helix-zed-schema";
import { callListener, type EntryId } from "@editwire/session";
import type { HelixZedAnswerMessage, HelixZedInteraction } from "./records.js";
import { type HelixZedToolCallState, toolCallIn } from "../shared/tool-call.js";

/** One thing that a conversation shows, in the order in which it began. */
export type HelixZedEntry = EntryId &
  (
    | { readonly type: "message"; readonly role: MessageRole; readonly text: string; readonly requestId: string }
    | { readonly type: "tool_call"; readonly toolCall: HelixZedToolCallState; readonly requestId: string }
  );

/** All that a view of a session renders. Values are never changed in place: a value that is `===` has not changed. */
export interface HelixZedSessionState {
  /** The agent's thread, once it has created one. */
  readonly threadId: string | undefined;
  readonly title: string | undefined;
  /** The agent is connected. */
  readonly connected: boolean;
  /** A message waits for its answer. */
  readonly running: boolean;
  /** Messages and tool calls, in order. */
  readonly entries: readonly HelixZedEntry[];
}

/** The parts of the state besides the ended interactions. */
export interface LiveSession {
  readonly threadId: string | undefined;
  readonly title: string | undefined;
  readonly connected: boolean;
  /** The interactions that have not ended. */
  readonly open: readonly HelixZedInteraction[];
}

const entries = new WeakMap<HelixZedAnswerMessage, HelixZedEntry>();

/**
 * Merges a session's interactions into its state. The state is made when it is read, and listeners are called once a
 * tick.
 */
export class SessionState {
  readonly #live: () => LiveSession;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Set<(state: HelixZedSessionState) => unknown>();
  #past: HelixZedEntry[] = [];
  /** Interactions that ended after the state was read last. Their entries are made at the next read. */
  #ended: HelixZedInteraction[] = [];
  #hasHistory = false;
  #state: HelixZedSessionState | undefined;
  #isCalling = false;

  constructor(live: () => LiveSession, onError: (error: unknown) => void) {
    this.#live = live;
    this.#onError = onError;
  }

  get hasHistory(): boolean {
    return this.#hasHistory;
  }

  /** The session has a subscriber. */
  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  get value(): HelixZedSessionState {
    if (this.#state !== undefined) return this.#state;
    for (const interaction of this.#ended.splice(0)) for (const entry of entriesOf(interaction)) this.#past.push(entry);
    const { open, threadId, title, connected } = this.#live();
    const all = [...this.#past, ...open.flatMap(entriesOf)];
    return (this.#state = { threadId, title, connected, running: open.length > 0, entries: all });
  }

  /** Takes the interactions that ended before; it does so once. */
  recall(interactions: readonly HelixZedInteraction[]): void {
    if (this.#hasHistory) return;
    this.#hasHistory = true;
    this.#ended = interactions.filter(({ state }) => state !== "waiting");
    this.changed();
  }

  /** An interaction ended. */
  ended(interaction: HelixZedInteraction): void {
    if (this.#hasHistory) this.#ended.push(interaction);
    this.changed();
  }

  /** Something else changed. */
  changed(): void {
    this.#state = undefined;
    if (this.#listeners.size === 0 || this.#isCalling) return;
    this.#isCalling = true;
    queueMicrotask(() => {
      this.#isCalling = false;
      for (const listener of [...this.#listeners])
        if (this.#listeners.has(listener)) callListener(listener, this.#onError, this.value);
    });
  }

  subscribe(listener: (state: HelixZedSessionState) => void): () => void {
    const own = (state: HelixZedSessionState): unknown => listener(state);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }
}

function entriesOf({ requestId, message, messages }: HelixZedInteraction): HelixZedEntry[] {
  const asked: HelixZedEntry = { entryId: requestId, type: "message", role: "user", text: message, requestId };
  return [asked, ...messages.map((one) => entryOf(one, requestId))];
}

/** The entry of a message; the same one for as long as the message does not change. */
function entryOf(message: HelixZedAnswerMessage, requestId: string): HelixZedEntry {
  const known = entries.get(message);
  if (known !== undefined) return known;
  const toolCall = toolCallIn(message);
  const entryId = `${requestId}/${message.id}`;
  const entry: HelixZedEntry =
    toolCall === undefined
      ? { entryId, type: "message", role: "assistant", text: message.content, requestId }
      : { entryId, type: "tool_call", toolCall, requestId };
  entries.set(message, entry);
  return entry;
}
