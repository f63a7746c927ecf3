import type {
  ChatConfig,
  ChatContentReceivedParams,
  ChatContext,
  ChatHistoryContent,
  UsageContent,
} from "@editwire/eca-schema";
import { ClientEntries, isShown, type SessionEntry, toolCallIn } from "./client-entries.js";
import { isOpen, type ToolCallState } from "./client-tool-call.js";

/** Everything that a view of a session renders. Values are immutable: a value that is `===` has not changed. */
export interface SessionState {
  /**
   * Messages, thoughts, tool calls and the rest, in order: at most 10,000 entries with about 2 Mi characters together.
   * The oldest ones are dropped first. A text of more than 1 Mi characters continues in another entry.
   */
  readonly entries: readonly SessionEntry[];
  /** A turn runs. */
  readonly running: boolean;
  /** What the server does, such as "Generating"; absent when no turn runs. */
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
export type SessionAction =
  | { readonly type: "received"; readonly received: ChatContentReceivedParams }
  | { readonly type: "started" }
  | { readonly type: "ended" }
  | { readonly type: "decided"; readonly toolCallId: string; readonly approved: boolean }
  | { readonly type: "contexts"; readonly contexts: readonly ChatContext[] }
  /** The user is asked about a call: `permissions` has it now. */
  | { readonly type: "asked" }
  | { readonly type: "titled"; readonly title: string }
  | { readonly type: "configured"; readonly config: ChatConfig }
  /** What was said before the first entry. */
  | { readonly type: "earlier"; readonly contents: readonly ChatHistoryContent[] }
  | { readonly type: "flag_removed"; readonly contentId: string }
  /** The messages were deleted; the chat still exists. */
  | { readonly type: "cleared" }
  /** The chat was deleted. */
  | { readonly type: "deleted" };

/** The state of a new session. Default contexts: the overview of the workspace (#chat-prompt). */
export function emptySession(contexts: readonly ChatContext[] = [{ type: "repoMap" }]): SessionState {
  return { entries: [], running: false, progress: undefined, usage: undefined, title: undefined, contexts, config: {} };
}

/** Returns the state after an action. A pure function; it takes time in proportion to the entries. */
export function reduceSession(state: SessionState, action: SessionAction): SessionState {
  switch (action.type) {
    case "received":
      return receive(state, action.received);
    case "started":
      return { ...state, running: true };
    case "ended":
      return { ...changed(state, (entries) => entries.endTurn()), running: false, progress: undefined };
    case "decided":
      return decide(state, action.toolCallId, action.approved);
    case "asked":
      return { ...state };
    case "contexts":
      return { ...state, contexts: action.contexts };
    case "titled":
      return { ...state, title: action.title };
    case "configured":
      return { ...state, config: { ...state.config, ...action.config } };
    case "earlier":
      return { ...state, entries: new ClientEntries([...entriesOf(action.contents), ...state.entries]).list };
    case "flag_removed":
      return { ...state, entries: state.entries.filter((entry) => !isFlag(entry, action.contentId)) };
    case "cleared":
      return { ...emptySession(state.contexts), running: state.running, config: state.config, title: state.title };
    case "deleted":
      return { ...emptySession(state.contexts), config: state.config };
  }
}

/** The tool calls that have not ended yet. */
export function openToolCalls({ entries }: SessionState): ToolCallState[] {
  return entries.flatMap((entry) => (entry.type === "tool_call" && isOpen(entry.toolCall) ? [entry.toolCall] : []));
}

/** The tool calls that wait for the user. */
export function waitingToolCalls(state: SessionState): ToolCallState[] {
  return openToolCalls(state).filter(({ status }) => status === "waiting");
}

/** The entries of a part of the past. What ran then does not run now. */
export function entriesOf(contents: readonly ChatHistoryContent[]): readonly SessionEntry[] {
  const entries = new ClientEntries();
  for (const { role, content } of contents) entries.add(role, content);
  entries.endTurn();
  return entries.list;
}

/** The state with a changed copy of its entries. */
function changed(state: SessionState, change: (entries: ClientEntries) => void): SessionState {
  const entries = new ClientEntries(state.entries);
  change(entries);
  return { ...state, entries: entries.list };
}

function isFlag(entry: SessionEntry, contentId: string): boolean {
  return entry.type === "content" && entry.content.type === "flag" && entry.content.contentId === contentId;
}

function receive(state: SessionState, { role, content }: ChatContentReceivedParams): SessionState {
  switch (content.type) {
    case "progress":
      return content.state === "finished"
        ? reduceSession(state, { type: "ended" })
        : { ...state, progress: content.text ?? "" };
    case "usage":
      return { ...state, usage: content };
    case "metadata":
      return content.title === "" ? state : { ...state, title: content.title };
    default:
      return isShown(content) ? changed(state, (entries) => entries.add(role, content)) : state;
  }
}

function decide(state: SessionState, id: string, approved: boolean): SessionState {
  const call = toolCallIn(state.entries, id);
  if (call?.status !== "waiting") return state;
  const decided: ToolCallState = approved
    ? { ...call, status: "in_progress" }
    : { ...call, status: "rejected", reason: "user" };
  return changed(state, (entries) => entries.setToolCall(decided));
}
