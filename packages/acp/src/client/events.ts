import type {
  AvailableCommand,
  ContentBlock,
  Notice,
  PlanEntry,
  SessionConfigOption,
  SessionUpdate,
  StopReason,
  ToolCallContent,
  ToolCallLocation,
  ToolCallStatus,
  ToolCallUpdate,
} from "@editwire/acp-schema";
import type { BackgroundWork } from "@editwire/acp-schema/v2";

/** A tool call, merged from its updates: a field that an update leaves out stays as it was. */
export interface AcpToolCallState {
  readonly toolCallId: string;
  readonly title: string;
  /**
   * The agent's status, and what this side knows besides: `waiting` while the user is asked, `rejected` after a no, and
   * `cancelled` when its turn was cancelled before it ended.
   */
  readonly status: ToolCallStatus | "waiting" | "rejected" | "cancelled";
  /** The specification leaves kinds open. Treat an unknown one as `other`. */
  readonly kind: string | undefined;
  readonly content: readonly ToolCallContent[];
  readonly locations: readonly ToolCallLocation[];
  readonly rawInput: unknown;
  readonly rawOutput: unknown;
}

/** The work of a session in the foreground, and beside it. */
export interface AcpActivity {
  /**
   * `idle`; `running`; `requires_action` while it waits for the user; or a word of the agent's own, which is no idle
   * state.
   */
  readonly state: string;
  /** Why the last work ended, in version 2. */
  readonly stopReason?: string | undefined;
  /** All that runs in the background, also while the session is idle. Undefined: the agent does not say. */
  readonly background?: readonly BackgroundWork[] | undefined;
}

/** How full the model's context is, and what the session has cost; in the official dialect. */
export interface AcpContextUsage {
  /** Tokens in the context. */
  readonly used: number;
  /** Tokens that fit. */
  readonly size: number;
  readonly cost: { readonly amount: number; readonly currency: string } | undefined;
}

/**
 * One `session/update`, read for a view. `update` is the message as it was received; for a tool call that the agent has
 * announced only by asking for a permission, it has what the request says about the call.
 */
export type AcpUpdateEvent =
  | { readonly type: "text"; readonly text: string; readonly update: SessionUpdate }
  | { readonly type: "content"; readonly content: ContentBlock; readonly update: SessionUpdate }
  /** `text` is empty for a thought that is not text; `content` has it. */
  | { readonly type: "thought"; readonly text: string; readonly content: ContentBlock; readonly update: SessionUpdate }
  | { readonly type: "user"; readonly content: ContentBlock; readonly update: SessionUpdate }
  | { readonly type: "tool_call"; readonly toolCall: AcpToolCallState; readonly update: SessionUpdate }
  | { readonly type: "plan"; readonly entries: readonly PlanEntry[]; readonly update: SessionUpdate }
  | { readonly type: "mode"; readonly modeId: string; readonly update: SessionUpdate }
  | { readonly type: "commands"; readonly commands: readonly AvailableCommand[]; readonly update: SessionUpdate }
  | { readonly type: "usage"; readonly usage: AcpContextUsage; readonly update: SessionUpdate }
  /** The settings that the user can change, all of them. */
  | {
      readonly type: "config_options";
      readonly configOptions: readonly SessionConfigOption[];
      readonly update: SessionUpdate;
    }
  /** The changed facts about the session: undefined is unchanged, and null clears. */
  | {
      readonly type: "info";
      readonly title: string | null | undefined;
      readonly updatedAt: string | null | undefined;
      readonly update: SessionUpdate;
    }
  /** Something that the user should know; for clients that declare `session.notices`. */
  | { readonly type: "notice"; readonly notice: Notice; readonly update: SessionUpdate }
  /** The agent shortens its context; for clients that declare `session.compaction`. */
  | { readonly type: "compaction"; readonly compactionId: string; readonly update: SessionUpdate }
  /** The agent says how far its work is, in version 2. It may repeat itself. */
  | { readonly type: "activity"; readonly activity: AcpActivity; readonly update: SessionUpdate }
  | { readonly type: "unknown"; readonly update: SessionUpdate };

/** An event of a turn: its updates, then exactly one `stop`. */
export type AcpTurnEvent = AcpUpdateEvent | { readonly type: "stop"; readonly stopReason: StopReason };

/** Reads one update. `merge` keeps the state of tool calls. */
export function readUpdate(update: SessionUpdate, merge: (update: ToolCallUpdate) => AcpToolCallState): AcpUpdateEvent {
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
      return isText(update.content)
        ? { type: "text", text: update.content.text, update }
        : { type: "content", content: update.content, update };
    case "agent_thought_chunk": {
      const { content } = update;
      return { type: "thought", text: isText(content) ? content.text : "", content, update };
    }
    case "user_message_chunk":
      return { type: "user", content: update.content, update };
    case "tool_call":
    case "tool_call_update":
      return { type: "tool_call", toolCall: merge(update), update };
    case "plan":
      return { type: "plan", entries: update.entries, update };
    case "current_mode_update":
      return { type: "mode", modeId: update.currentModeId, update };
    case "available_commands_update":
      return { type: "commands", commands: update.availableCommands, update };
    case "usage_update": {
      const { used, size, cost } = update;
      return { type: "usage", usage: { used, size, cost }, update };
    }
    case "config_option_update":
      return { type: "config_options", configOptions: update.configOptions, update };
    case "session_info_update":
      return { type: "info", title: update.title, updatedAt: update.updatedAt, update };
    case "notice":
      return { type: "notice", notice: update, update };
    case "compaction_update":
    case "compaction_summary_chunk":
      return { type: "compaction", compactionId: update.compactionId, update };
    default: {
      const activity = activityOf(update);
      return activity === undefined ? { type: "unknown", update } : { type: "activity", activity, update };
    }
  }
}

function activityOf(update: SessionUpdate): AcpActivity | undefined {
  const { sessionUpdate, state, stopReason, background } = update as Readonly<Record<string, unknown>>;
  if (sessionUpdate !== "state_update" || typeof state !== "string") return undefined;
  return {
    state,
    ...(typeof stopReason === "string" ? { stopReason } : {}),
    ...(Array.isArray(background) ? { background: background as BackgroundWork[] } : {}),
  };
}

/** The state of a tool call after an update. */
export function mergeToolCall(before: AcpToolCallState | undefined, update: ToolCallUpdate): AcpToolCallState {
  const { toolCallId, title, status, kind, content, locations } = update;
  const isRejected = before?.status === "rejected" && (status === undefined || status === "failed");
  return {
    toolCallId,
    title: title ?? before?.title ?? toolCallId,
    status: isRejected ? "rejected" : (status ?? before?.status ?? "pending"),
    kind: kind ?? before?.kind,
    content: content ?? before?.content ?? [],
    locations: locations ?? before?.locations ?? [],
    // Null is a value here, so a field counts as left out only when it is undefined.
    rawInput: update.rawInput === undefined ? before?.rawInput : update.rawInput,
    rawOutput: update.rawOutput === undefined ? before?.rawOutput : update.rawOutput,
  };
}

/** Recognizes a block of text. */
export function isText(content: ContentBlock): content is Extract<ContentBlock, { type: "text" }> {
  return content.type === "text";
}
