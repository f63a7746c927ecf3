import type {
  AvailableCommand,
  ContentBlock,
  PlanEntry,
  SessionUpdate,
  StopReason,
  ToolCallContent,
  ToolCallLocation,
  ToolCallStatus,
  ToolCallUpdate,
} from "@editwire/acp-schema";

/** A tool call as its updates so far leave it: an omitted field stays as it was. */
export interface ToolCallState {
  readonly toolCallId: string;
  readonly title: string;
  readonly status: ToolCallStatus;
  /** The spec leaves kinds open; treat one that you do not know as `other`. */
  readonly kind: string | undefined;
  readonly content: readonly ToolCallContent[];
  readonly locations: readonly ToolCallLocation[];
  readonly rawInput: unknown;
  readonly rawOutput: unknown;
}

/** One `session/update`, read for a view. `update` is the message as it came. */
export type UpdateEvent =
  | { readonly type: "text"; readonly text: string; readonly update: SessionUpdate }
  | { readonly type: "content"; readonly content: ContentBlock; readonly update: SessionUpdate }
  | { readonly type: "thought"; readonly text: string; readonly update: SessionUpdate }
  | { readonly type: "user"; readonly content: ContentBlock; readonly update: SessionUpdate }
  | { readonly type: "tool_call"; readonly toolCall: ToolCallState; readonly update: SessionUpdate }
  | { readonly type: "plan"; readonly entries: readonly PlanEntry[]; readonly update: SessionUpdate }
  | { readonly type: "mode"; readonly modeId: string; readonly update: SessionUpdate }
  | { readonly type: "commands"; readonly commands: readonly AvailableCommand[]; readonly update: SessionUpdate }
  | { readonly type: "unknown"; readonly update: SessionUpdate };

/** What a turn yields: its updates, then exactly one `stop`. */
export type TurnEvent = UpdateEvent | { readonly type: "stop"; readonly stopReason: StopReason };

/** Reads one update; `toolCalls` holds the state that tool call updates are merged into. */
export function readUpdate(update: SessionUpdate, toolCalls: Map<string, ToolCallState>): UpdateEvent {
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
      return isText(update.content)
        ? { type: "text", text: update.content.text, update }
        : { type: "content", content: update.content, update };
    case "agent_thought_chunk":
      return { type: "thought", text: isText(update.content) ? update.content.text : "", update };
    case "user_message_chunk":
      return { type: "user", content: update.content, update };
    case "tool_call":
    case "tool_call_update": {
      const toolCall = mergeToolCall(toolCalls.get(update.toolCallId), update);
      toolCalls.set(toolCall.toolCallId, toolCall);
      return { type: "tool_call", toolCall, update };
    }
    case "plan":
      return { type: "plan", entries: update.entries, update };
    case "current_mode_update":
      return { type: "mode", modeId: update.currentModeId, update };
    case "available_commands_update":
      return { type: "commands", commands: update.availableCommands, update };
    default:
      return { type: "unknown", update };
  }
}

function mergeToolCall(before: ToolCallState | undefined, update: ToolCallUpdate): ToolCallState {
  return {
    toolCallId: update.toolCallId,
    title: update.title ?? before?.title ?? update.toolCallId,
    status: update.status ?? before?.status ?? "pending",
    kind: update.kind ?? before?.kind,
    content: update.content ?? before?.content ?? [],
    locations: update.locations ?? before?.locations ?? [],
    rawInput: update.rawInput ?? before?.rawInput,
    rawOutput: update.rawOutput ?? before?.rawOutput,
  };
}

function isText(content: ContentBlock): content is Extract<ContentBlock, { type: "text" }> {
  return content.type === "text";
}
