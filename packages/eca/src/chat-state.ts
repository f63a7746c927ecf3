import type { ChatConfig, ChatContentReceivedParams, ChatContext, UsageContent } from "@editwire/eca-schema";
import { addContent, type ChatEntry, endTurn, toolCallIn, withToolCall } from "./chat-entries.js";
import { isOpen, type ToolCallState } from "./chat-tool-call.js";

/** All that a view of a chat renders. Values are never changed in place: what is `===` has not changed. */
export interface ChatState {
  /** Messages, thoughts, tool calls and the rest, in order. */
  readonly entries: readonly ChatEntry[];
  /** A turn runs. */
  readonly running: boolean;
  /** What the server does, such as "Generating"; absent at rest. */
  readonly progress: string | undefined;
  /** Tokens and costs as last told. */
  readonly usage: UsageContent | undefined;
  /** What the server calls the chat; servers of 2025 call it nothing. */
  readonly title: string | undefined;
  /** What goes with the prompts. */
  readonly contexts: readonly ChatContext[];
  /** What the server configured for this chat alone. */
  readonly config: ChatConfig;
}

/** What changes a chat. */
export type ChatAction =
  | { readonly type: "received"; readonly received: ChatContentReceivedParams }
  | { readonly type: "started" }
  | { readonly type: "ended" }
  | { readonly type: "decided"; readonly toolCallId: string; readonly approved: boolean }
  | { readonly type: "contexts"; readonly contexts: readonly ChatContext[] }
  | { readonly type: "titled"; readonly title: string }
  | { readonly type: "configured"; readonly config: ChatConfig }
  /** The messages are gone, and the chat stays. */
  | { readonly type: "cleared" }
  /** The server forgot the chat. */
  | { readonly type: "deleted" };

/** A chat in which nothing was said. Default contexts: the overview of the workspace (#chat-prompt). */
export function emptyChat(contexts: readonly ChatContext[] = [{ type: "repoMap" }]): ChatState {
  return { entries: [], running: false, progress: undefined, usage: undefined, title: undefined, contexts, config: {} };
}

/** The state after an action; a pure function. */
export function reduceChat(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case "received":
      return receive(state, action.received);
    case "started":
      return { ...state, running: true };
    case "ended":
      return { ...state, entries: endTurn(state.entries), running: false, progress: undefined };
    case "decided":
      return decide(state, action.toolCallId, action.approved);
    case "contexts":
      return { ...state, contexts: action.contexts };
    case "titled":
      return { ...state, title: action.title };
    case "configured":
      return { ...state, config: { ...state.config, ...action.config } };
    case "cleared":
      return { ...emptyChat(state.contexts), running: state.running, config: state.config, title: state.title };
    case "deleted":
      return { ...emptyChat(state.contexts), config: state.config };
  }
}

/** The tool calls that the server works on, or that wait for the user. */
export function openToolCalls({ entries }: ChatState): ToolCallState[] {
  return entries.flatMap((entry) => (entry.type === "tool_call" && isOpen(entry.toolCall) ? [entry.toolCall] : []));
}

/** The tool calls that wait for the user. */
export function waitingToolCalls(state: ChatState): ToolCallState[] {
  return openToolCalls(state).filter(({ status }) => status === "waiting");
}

function receive(state: ChatState, { role, content }: ChatContentReceivedParams): ChatState {
  switch (content.type) {
    case "progress":
      return content.state === "finished"
        ? reduceChat(state, { type: "ended" })
        : { ...state, progress: content.text ?? "" };
    case "usage":
      return { ...state, usage: content };
    case "metadata":
      return content.title === undefined ? state : { ...state, title: content.title };
    default: {
      const entries = addContent(state.entries, role, content);
      return entries === state.entries ? state : { ...state, entries };
    }
  }
}

function decide(state: ChatState, id: string, approved: boolean): ChatState {
  const call = toolCallIn(state.entries, id);
  if (call?.status !== "waiting") return state;
  const decided: ToolCallState = approved
    ? { ...call, status: "running" }
    : { ...call, status: "rejected", reason: "user" };
  return { ...state, entries: withToolCall(state.entries, decided) };
}
