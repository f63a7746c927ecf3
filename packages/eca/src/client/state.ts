import type { ChatConfig, ChatContext, ChatHistoryContent, EcaParams, UsageContent } from "@editwire/eca-schema";
import { EntriesState, isOpenCall, type NewEntry, Store } from "@editwire/session";
import { ClientEntries, type EcaEntry } from "./entries.js";
import type { EcaToolCallState } from "./tool-call.js";

/** Everything that a view of a session renders. Values are immutable: a value that is `===` has not changed. */
export interface EcaSessionState {
  /**
   * Messages, thoughts, tool calls and the rest, in order: at most 10,000 entries with about 2 Mi characters together.
   * The oldest ones are dropped first. A text of more than 1 Mi characters continues in another entry.
   */
  readonly entries: readonly EcaEntry[];
  /** A turn runs. */
  readonly running: boolean;
  /** The server's progress, such as "Generating"; absent when no turn runs. */
  readonly progress: string | undefined;
  /** The last reported tokens and costs. */
  readonly usage: UsageContent | undefined;
  /** The title of the chat; servers of 2025 send none. */
  readonly title: string | undefined;
  /** The contexts that are sent with the prompts. */
  readonly contexts: readonly ChatContext[];
  /** The configuration of this chat alone. */
  readonly config: ChatConfig;
}

/** An event that changes a session. */
export type EcaSessionAction =
  | { readonly type: "received"; readonly received: EcaParams<"chat/contentReceived"> }
  | { readonly type: "started" }
  | { readonly type: "ended" }
  | { readonly type: "decided"; readonly toolCallId: string; readonly approved: boolean }
  | { readonly type: "contexts"; readonly contexts: readonly ChatContext[] }
  /** The user is asked about a call: `permissions` has it now. */
  | { readonly type: "asked" }
  | { readonly type: "titled"; readonly title: string }
  | { readonly type: "configured"; readonly config: ChatConfig }
  /** The messages before the first entry. */
  | { readonly type: "earlier"; readonly contents: readonly ChatHistoryContent[] }
  | { readonly type: "flag_removed"; readonly contentId: string }
  /** The messages were deleted; the chat still exists. */
  | { readonly type: "cleared" }
  /** The chat was deleted. */
  | { readonly type: "deleted" };

/** The state of a new session. Default contexts: the overview of the workspace (#chat-prompt). */
export function emptySession(contexts: readonly ChatContext[] = [{ type: "repoMap" }]): EcaSessionState {
  return { entries: [], running: false, progress: undefined, usage: undefined, title: undefined, contexts, config: {} };
}

/** Returns the state after an action. A pure function; it takes time in proportion to the entries. */
export function reduceSession(state: EcaSessionState, action: EcaSessionAction): EcaSessionState {
  const changing = new ClientState(state, () => {});
  changing.update(action);
  return changing.value;
}

/** The tool calls that have not ended yet. */
export function openToolCalls({ entries }: EcaSessionState): EcaToolCallState[] {
  return entries.flatMap((entry) => (entry.type === "tool_call" && isOpenCall(entry.toolCall) ? [entry.toolCall] : []));
}

/** The tool calls that wait for the user. */
export function waitingToolCalls(state: EcaSessionState): EcaToolCallState[] {
  return openToolCalls(state).filter(({ status }) => status === "waiting");
}

/** The state of a session, which takes actions. */
export class ClientState extends EntriesState<EcaSessionState, ClientEntries> {
  readonly #config: Store<ChatConfig>;

  /** `onError` gets what a listener throws. */
  constructor(state: EcaSessionState, onError: (error: unknown) => void) {
    super(state, new ClientEntries(state.entries), onError);
    this.#config = new Store(state.config, onError);
  }

  /** Calls `listener` with each new configuration. Returns a function that ends this. */
  onConfig(listener: (config: ChatConfig) => void): () => void {
    return this.#config.subscribe(listener);
  }

  /** Changes the state. `chars` is the length of the message of what was received. */
  update(action: EcaSessionAction, chars?: number): void {
    const { entries } = this;
    switch (action.type) {
      case "received":
        return this.#receive(action.received, chars);
      case "started":
        return this.set({ running: true });
      case "ended":
        entries.endTurn();
        return this.set({ running: false, progress: undefined }, true);
      case "decided":
        return this.#decide(action.toolCallId, action.approved);
      case "asked":
        return this.changed();
      case "contexts":
        return this.set({ contexts: action.contexts });
      case "titled":
        return this.set({ title: action.title });
      case "configured":
        this.set({ config: { ...this.rest.config, ...action.config } });
        return this.#config.set(this.rest.config);
      case "earlier":
        return this.#load([...entriesOf(action.contents), ...entries.all]);
      case "flag_removed":
        return this.#load(entries.all.filter((entry) => !isFlag(entry, action.contentId)));
      case "cleared":
        entries.load([]);
        return this.set({ progress: undefined, usage: undefined }, true);
      case "deleted":
        entries.load([]);
        return this.set({ running: false, progress: undefined, usage: undefined, title: undefined }, true);
    }
  }

  #load(entries: readonly NewEntry<EcaEntry>[]): void {
    const { trimmed } = this.entries;
    this.entries.load(entries);
    if (trimmed) this.entries.trimmed = true;
    this.changed(true);
  }

  #receive({ role, content }: EcaParams<"chat/contentReceived">, chars: number | undefined): void {
    switch (content.type) {
      case "progress":
        return content.state === "finished"
          ? this.update({ type: "ended" })
          : this.set({ progress: content.text ?? "" });
      case "usage":
        return this.set({ usage: content });
      case "metadata":
        return content.title === "" ? undefined : this.set({ title: content.title });
      default:
        if (this.entries.receive(role, content, chars)) this.changed(true);
    }
  }

  #decide(id: string, approved: boolean): void {
    const call = this.entries.toolCall(id);
    if (call?.status !== "waiting") return;
    this.entries.setToolCall(
      approved ? { ...call, status: "in_progress" } : { ...call, status: "rejected", reason: "user" },
    );
    this.changed(true);
  }
}

/** The entries of a part of the past, without ids. Calls that ran then do not run now. */
function entriesOf(contents: readonly ChatHistoryContent[]): readonly NewEntry<EcaEntry>[] {
  const entries = new ClientEntries();
  for (const { role, content } of contents) entries.receive(role, content);
  entries.endTurn();
  return entries.all.map((entry) => {
    const { entryId: _, ...others } = entry;
    return others;
  });
}

function isFlag(entry: EcaEntry, contentId: string): boolean {
  return entry.type === "content" && entry.content.type === "flag" && entry.content.contentId === contentId;
}
