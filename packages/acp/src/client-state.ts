import type { AvailableCommand, ContentBlock, PlanEntry, SessionModeState } from "@editwire/acp-schema";
import { appended, type Entries, maxTextChars, replaced } from "./client-entries.js";
import { type ContextUsage, isText, type ToolCallState, type UpdateEvent } from "./client-events.js";

/** One thing that a session shows, in the order in which it began. */
export type AcpEntry =
  /**
   * Text of one speaker, joined verbatim. Other entries end it: text that follows them begins a new one. So does text
   * that follows more than 1,048,576 characters.
   */
  | { readonly type: "message"; readonly role: "user" | "assistant"; readonly text: string }
  | { readonly type: "thought"; readonly text: string }
  | { readonly type: "tool_call"; readonly toolCall: ToolCallState }
  /** The latest plan, at the place of the first one of its turn. */
  | { readonly type: "plan"; readonly entries: readonly PlanEntry[] }
  /** Anything said or thought that is not text. */
  | { readonly type: "content"; readonly role: "user" | "assistant"; readonly content: ContentBlock };

/** All that a view of a session renders. Values are never changed in place: what is `===` has not changed. */
export interface AcpSessionState {
  /** At most 10,000 entries with 8 Mi characters together; the oldest ones are dropped first. */
  readonly entries: readonly AcpEntry[];
  /** True while a turn runs. */
  readonly running: boolean;
  /** The modes with the current one; absent when the agent has none. */
  readonly modes: SessionModeState | undefined;
  readonly commands: readonly AvailableCommand[];
  readonly usage: ContextUsage | undefined;
}

/** What changes a state. */
export type AcpAction =
  | { readonly type: "started"; readonly prompt: readonly ContentBlock[] }
  | { readonly type: "ended"; readonly cancelled: boolean }
  | { readonly type: "received"; readonly event: UpdateEvent; readonly replayed?: boolean }
  | { readonly type: "tool_call"; readonly toolCall: ToolCallState }
  | { readonly type: "mode"; readonly modeId: string }
  | { readonly type: "opened"; readonly modes: SessionModeState | undefined }
  /** The session is loaded again: what was said comes once more. */
  | { readonly type: "cleared" };

/** A session in which nothing was said. */
export const emptySession: AcpSessionState = {
  entries: [],
  running: false,
  modes: undefined,
  commands: [],
  usage: undefined,
};

/** The state after an action; a pure function. */
export function reduceSession(state: AcpSessionState, action: AcpAction): AcpSessionState {
  switch (action.type) {
    case "started":
      return withEntries({ ...state, running: true }, action.prompt.reduce(addBlock("user"), state.entries));
    case "ended":
      return { ...state, running: false, entries: action.cancelled ? cancelCalls(state.entries) : state.entries };
    case "received":
      return receive(state, action.event, action.replayed === true);
    case "tool_call":
      return withEntries(state, withToolCall(state.entries, action.toolCall));
    case "mode":
      return state.modes === undefined ? state : { ...state, modes: { ...state.modes, currentModeId: action.modeId } };
    case "opened":
      return { ...state, modes: action.modes };
    case "cleared":
      return { ...emptySession, modes: state.modes, commands: state.commands };
  }
}

function receive(state: AcpSessionState, event: UpdateEvent, replayed: boolean): AcpSessionState {
  const { entries } = state;
  switch (event.type) {
    case "text":
      return withEntries(state, addText(entries, "message", "assistant", event.text));
    case "content":
      return withEntries(state, addBlock("assistant")(entries, event.content));
    case "thought":
      return withEntries(
        state,
        isText(event.content)
          ? addText(entries, "thought", "assistant", event.text)
          : appended(entries, { type: "content", role: "assistant", content: event.content }),
      );
    case "user":
      // An agent may repeat the prompt of the running turn, which the state shows already.
      return replayed || !state.running ? withEntries(state, addBlock("user")(entries, event.content)) : state;
    case "tool_call":
      return withEntries(state, withToolCall(entries, event.toolCall));
    case "plan":
      return withEntries(state, withPlan(entries, event.entries));
    case "mode":
      return reduceSession(state, { type: "mode", modeId: event.modeId });
    case "commands":
      return { ...state, commands: event.commands };
    case "usage":
      return { ...state, usage: event.usage };
    case "unknown":
      return state;
  }
}

function withEntries(state: AcpSessionState, entries: Entries): AcpSessionState {
  return { ...state, entries };
}

const addBlock =
  (role: "user" | "assistant") =>
  (entries: Entries, content: ContentBlock): Entries =>
    isText(content)
      ? addText(entries, "message", role, content.text)
      : appended(entries, { type: "content", role, content });

function addText(entries: Entries, type: "message" | "thought", role: "user" | "assistant", text: string): Entries {
  const last = entries.at(-1);
  const goesOn = last?.type === type && (last.type === "thought" || last.role === role);
  if (goesOn && last.text.length < maxTextChars) return replaced(entries, -1, { ...last, text: last.text + text });
  return appended(entries, type === "thought" ? { type, text } : { type, role, text });
}

function withToolCall(entries: Entries, toolCall: ToolCallState): Entries {
  const { toolCallId } = toolCall;
  const index = entries.findLastIndex(
    (entry) => entry.type === "tool_call" && entry.toolCall.toolCallId === toolCallId,
  );
  return index < 0
    ? appended(entries, { type: "tool_call", toolCall })
    : replaced(entries, index, { type: "tool_call", toolCall });
}

/** A plan replaces the one before it in the same turn; a turn begins with a message of the user. */
function withPlan(entries: Entries, plan: readonly PlanEntry[]): Entries {
  const index = entries.findLastIndex(
    (entry) => entry.type === "plan" || (entry.type === "message" && entry.role === "user"),
  );
  const entry: AcpEntry = { type: "plan", entries: plan };
  return entries[index]?.type === "plan" ? replaced(entries, index, entry) : appended(entries, entry);
}

function cancelCalls(entries: Entries): Entries {
  return entries.map((entry) =>
    entry.type === "tool_call" && isOpen(entry.toolCall)
      ? { type: "tool_call", toolCall: { ...entry.toolCall, status: "cancelled" } }
      : entry,
  );
}

function isOpen({ status }: ToolCallState): boolean {
  return status === "pending" || status === "in_progress" || status === "waiting";
}
