import type { AvailableCommand, ContentBlock, SessionConfigOption, SessionModeState } from "@editwire/acp-schema";
import { Store } from "@editwire/session";
import { type AcpEntry, ClientEntries } from "./client-entries.js";
import { type ContextUsage, isText, type ToolCallState, type UpdateEvent } from "./client-events.js";

/** All that a view of a session renders. Values are never changed in place: what is `===` has not changed. */
export interface AcpSessionState {
  /** At most 10,000 entries with 2 Mi characters together; the oldest ones are dropped first. */
  readonly entries: readonly AcpEntry[];
  /** True while a turn runs. */
  readonly running: boolean;
  /** The modes with the current one; absent when the agent has none. */
  readonly modes: SessionModeState | undefined;
  readonly commands: readonly AvailableCommand[];
  readonly usage: ContextUsage | undefined;
  /** The settings that the user can change, with their values. */
  readonly configOptions: readonly SessionConfigOption[];
  /** The session's title, as the agent names it. */
  readonly title: string | undefined;
}

/** What changes a state. */
export type AcpAction =
  | { readonly type: "started"; readonly prompt: readonly ContentBlock[] }
  | { readonly type: "ended"; readonly cancelled: boolean }
  | { readonly type: "tool_call"; readonly toolCall: ToolCallState }
  | { readonly type: "mode"; readonly modeId: string }
  | { readonly type: "config_options"; readonly configOptions: readonly SessionConfigOption[] }
  | { readonly type: "opened"; readonly modes: SessionModeState | undefined }
  /** The session is loaded again: what was said comes once more. */
  | { readonly type: "cleared" };

/** What the agent answers when it opens a session. */
interface OpenedState {
  readonly modes?: SessionModeState | undefined;
  readonly configOptions?: readonly SessionConfigOption[] | undefined;
}

/** A session in which nothing was said. */
const emptySession: AcpSessionState = {
  entries: [],
  running: false,
  modes: undefined,
  commands: [],
  usage: undefined,
  configOptions: [],
  title: undefined,
};

/**
 * The state of a session. The immutable value is made when somebody reads it or is subscribed: to make one for each
 * message would copy all entries each time.
 */
export class ClientState {
  readonly #store: Store<AcpSessionState>;
  readonly #entries = new ClientEntries();
  /** The state without its entries, which may be older. */
  #rest: AcpSessionState;
  /** True when the store's state is not the current one. */
  #isStale = false;
  #hasNewEntries = false;

  /** `onError` gets what a listener throws. */
  constructor({ modes, configOptions = [] }: OpenedState, onError: (error: unknown) => void) {
    this.#rest = { ...emptySession, modes, configOptions };
    this.#store = new Store(this.#rest, onError);
  }

  /** The current state. */
  get value(): AcpSessionState {
    if (this.#isStale) this.#publish();
    return this.#store.state;
  }

  /** The modes, without the cost of a whole state. */
  get modes(): SessionModeState | undefined {
    return this.#rest.modes;
  }

  /** The settings, without the cost of a whole state. */
  get configOptions(): readonly SessionConfigOption[] {
    return this.#rest.configOptions;
  }

  /** Calls `listener` with each new state. Returns a function that ends this. */
  subscribe(listener: (state: AcpSessionState) => void): () => void {
    if (this.#isStale) this.#publish();
    return this.#store.subscribe(listener);
  }

  /** Takes an update that was read from a message of `chars` characters. A load replays what was said before. */
  receive(event: UpdateEvent, chars: number, replayed: boolean): void {
    const entries = this.#entries;
    switch (event.type) {
      case "text":
        entries.addText("message", "assistant", event.text);
        return this.#changed(true);
      case "content":
        entries.addBlock("assistant", event.content, chars);
        return this.#changed(true);
      case "thought":
        if (isText(event.content)) entries.addText("thought", "assistant", event.text);
        else entries.addBlock("assistant", event.content, chars);
        return this.#changed(true);
      case "user":
        // An agent may repeat the prompt of the running turn, which the state shows already.
        if (this.#rest.running && !replayed) return;
        entries.addBlock("user", event.content, chars);
        return this.#changed(true);
      case "tool_call":
        entries.setToolCall(event.toolCall, chars);
        return this.#changed(true);
      case "plan":
        entries.setPlan(event.entries, chars);
        return this.#changed(true);
      case "mode":
        return this.#setMode(event.modeId);
      case "commands":
        return this.#set({ ...this.#rest, commands: event.commands });
      case "usage":
        return this.#set({ ...this.#rest, usage: event.usage });
      case "config_options":
        return this.#set({ ...this.#rest, configOptions: event.configOptions });
      case "info":
        if (event.title === undefined) return;
        return this.#set({ ...this.#rest, title: event.title ?? undefined });
      case "notice":
      case "compaction":
      case "unknown":
        return;
    }
  }

  /** Takes what this side does or knows. */
  apply(action: AcpAction): void {
    const entries = this.#entries;
    switch (action.type) {
      case "started":
        for (const block of action.prompt) entries.addBlock("user", block);
        return this.#set({ ...this.#rest, running: true }, true);
      case "ended":
        if (action.cancelled) entries.cancelToolCalls();
        return this.#set({ ...this.#rest, running: false }, action.cancelled);
      case "tool_call":
        entries.setToolCall(action.toolCall);
        return this.#changed(true);
      case "mode":
        return this.#setMode(action.modeId);
      case "config_options":
        return this.#set({ ...this.#rest, configOptions: action.configOptions });
      case "opened":
        return this.#set({ ...this.#rest, modes: action.modes });
      case "cleared": {
        const { modes, commands, configOptions, title } = this.#rest;
        entries.clear();
        return this.#set({ ...emptySession, modes, commands, configOptions, title }, true);
      }
    }
  }

  #setMode(currentModeId: string): void {
    const { modes } = this.#rest;
    if (modes !== undefined) this.#set({ ...this.#rest, modes: { ...modes, currentModeId } });
  }

  #set(rest: AcpSessionState, hasNewEntries = false): void {
    this.#rest = rest;
    this.#changed(hasNewEntries);
  }

  #changed(hasNewEntries: boolean): void {
    if (hasNewEntries) this.#hasNewEntries = true;
    this.#isStale = true;
    if (this.#store.watched) this.#publish();
  }

  #publish(): void {
    const entries = this.#hasNewEntries ? this.#entries.all : this.#store.state.entries;
    this.#isStale = this.#hasNewEntries = false;
    this.#store.set({ ...this.#rest, entries });
  }
}
