import type {
  ChatContent,
  ChatRole,
  FlagContent,
  HookActionFinishedContent,
  HookActionStartedContent,
  ImageContent,
  URLContent,
} from "@editwire/eca-schema";
import { isOpen, readToolCall, type ToolCallContent, type ToolCallState } from "./client-tool-call.js";

/** Content that is shown unchanged. */
type ShownContent = URLContent | ImageContent | FlagContent | HookActionStartedContent | HookActionFinishedContent;

/** One thing that a session shows, in the order in which it began. */
export type SessionEntry =
  /** Text of one role, joined verbatim; `complete` when something else follows. */
  | {
      readonly type: "message";
      readonly role: ChatRole;
      readonly text: string;
      readonly contentId: string | undefined;
      readonly complete: boolean;
    }
  /** A thought of the model. */
  | {
      readonly type: "thought";
      readonly id: string;
      readonly text: string;
      readonly complete: boolean;
      readonly totalTimeMs: number | undefined;
    }
  | { readonly type: "tool_call"; readonly toolCall: ToolCallState }
  /** Any other content that is shown unchanged. */
  | { readonly type: "content"; readonly role: ChatRole; readonly content: ShownContent };

type Entries = readonly SessionEntry[];

/** Adds content. Content that is not shown leaves the entries unchanged. */
export function addContent(entries: Entries, role: ChatRole, content: ChatContent): Entries {
  switch (content.type) {
    case "text":
      return addText(entries, role, content.text, content.contentId);
    case "reasonStarted":
    case "reasonText":
    case "reasonFinished":
      return addThought(
        entries,
        content.id,
        content.type === "reasonText" ? content.text : "",
        content.type === "reasonFinished",
        content,
      );
    case "toolCallPrepare":
    case "toolCallRun":
    case "toolCallRunning":
    case "toolCalled":
    case "toolCallRejected":
      return addToolCall(entries, content);
    case "url":
    case "image":
    case "flag":
    case "hookActionStarted":
    case "hookActionFinished":
      return [...completed(entries), { type: "content", role, content }];
    default:
      return entries;
  }
}

/** Completes the entries that are open when a turn ends. */
export function endTurn(entries: Entries): Entries {
  return completed(entries).map((entry) => {
    if (entry.type === "thought" && !entry.complete) return { ...entry, complete: true };
    if (entry.type === "tool_call" && isOpen(entry.toolCall))
      return { ...entry, toolCall: { ...entry.toolCall, status: "cancelled" } };
    return entry;
  });
}

/** The tool call with this id; the last one if a server used the id twice. */
export function toolCallIn(entries: Entries, id: string): ToolCallState | undefined {
  const entry = entries.findLast((candidate) => candidate.type === "tool_call" && candidate.toolCall.toolCallId === id);
  return entry?.type === "tool_call" ? entry.toolCall : undefined;
}

/** Replaces one tool call. */
export function withToolCall(entries: Entries, toolCall: ToolCallState): Entries {
  const index = entries.findLastIndex(
    (entry) => entry.type === "tool_call" && entry.toolCall.toolCallId === toolCall.toolCallId,
  );
  return index < 0
    ? [...completed(entries), { type: "tool_call", toolCall }]
    : entries.with(index, { type: "tool_call", toolCall });
}

/** A message of the user comes in one piece; other messages come in many. */
function addText(entries: Entries, role: ChatRole, text: string, contentId: string | undefined): Entries {
  const last = entries.at(-1);
  const goesOn = last?.type === "message" && last.role === role && !last.complete && role !== "user";
  if (goesOn) return entries.with(-1, { ...last, text: last.text + text });
  return [...completed(entries), { type: "message", role, text, contentId, complete: role === "user" }];
}

function addThought(
  entries: Entries,
  id: string,
  text: string,
  complete: boolean,
  content: { type: string; totalTimeMs?: unknown },
): Entries {
  const index = entries.findLastIndex((entry) => entry.type === "thought" && entry.id === id && !entry.complete);
  const totalTimeMs = typeof content.totalTimeMs === "number" ? content.totalTimeMs : undefined;
  const before = entries[index];
  if (before?.type === "thought")
    return entries.with(index, { ...before, text: before.text + text, complete, totalTimeMs });
  if (complete) return entries;
  return [...completed(entries), { type: "thought", id, text, complete, totalTimeMs }];
}

function addToolCall(entries: Entries, content: ToolCallContent): Entries {
  const before = toolCallIn(entries, content.id);
  // Ids are unique in a session. When a server prepares a closed id again, it is another call.
  const isNew = before !== undefined && !isOpen(before) && content.type === "toolCallPrepare";
  if (isNew) return [...completed(entries), { type: "tool_call", toolCall: readToolCall(undefined, content) }];
  return withToolCall(entries, readToolCall(before, content));
}

/** Completes the last message, so that later text begins a new one. */
function completed(entries: Entries): Entries {
  const last = entries.at(-1);
  return last?.type === "message" && !last.complete ? entries.with(-1, { ...last, complete: true }) : entries;
}
