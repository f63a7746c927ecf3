import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import { ContentBlock } from "./content.js";
import { type Extensible, meta } from "./extensible.js";
import { SessionId } from "./session-id.js";
import {
  CompactionSummaryChunk,
  CompactionUpdate,
  ConfigOptionUpdate,
  Notice,
  SessionInfoUpdate,
  UsageUpdate,
} from "./session-updates.js";
import { type ToolCall, toolCallShape, type ToolCallUpdate, toolCallUpdateShape } from "./tool-calls.js";

/** Fields that every piece of a message has. */
interface Chunk extends Extensible {
  content: ContentBlock;
  /** The message that it is a piece of (version 1). */
  messageId?: string | undefined;
}
const chunk = { content: ContentBlock, messageId: z.optional(z.string()), _meta: meta };

/** A piece of what the user said: an echo of the prompt, or history (section 8.1). */
export interface UserMessageChunk extends Chunk {
  sessionUpdate: "user_message_chunk";
}
export const UserMessageChunk = schemaFor<UserMessageChunk>()(
  z.looseObject({ sessionUpdate: z.literal("user_message_chunk"), ...chunk }),
);

/** A piece of what the agent says (section 8.2). */
export interface AgentMessageChunk extends Chunk {
  sessionUpdate: "agent_message_chunk";
}
export const AgentMessageChunk = schemaFor<AgentMessageChunk>()(
  z.looseObject({ sessionUpdate: z.literal("agent_message_chunk"), ...chunk }),
);

/** A piece of what the agent thinks (section 8, listed as not emitted by the spec's own agent). */
export interface AgentThoughtChunk extends Chunk {
  sessionUpdate: "agent_thought_chunk";
}
export const AgentThoughtChunk = schemaFor<AgentThoughtChunk>()(
  z.looseObject({ sessionUpdate: z.literal("agent_thought_chunk"), ...chunk }),
);

/** A tool call begins (section 8.3). */
export interface ToolCallStart extends ToolCall {
  sessionUpdate: "tool_call";
}
export const ToolCallStart = schemaFor<ToolCallStart>()(
  z.looseObject({ sessionUpdate: z.literal("tool_call"), ...toolCallShape }),
);

/** A tool call goes on or ends (section 8.4). */
export interface ToolCallProgress extends ToolCallUpdate {
  sessionUpdate: "tool_call_update";
}
export const ToolCallProgress = schemaFor<ToolCallProgress>()(
  z.looseObject({ sessionUpdate: z.literal("tool_call_update"), ...toolCallUpdateShape }),
);

const planPriorities = ["high", "medium", "low"] as const;
/** The priorities of a plan's entry. */
export const priorities: readonly unknown[] = planPriorities;

/** One step of the agent's plan (section 8.5). */
export interface PlanEntry extends Extensible {
  content: string;
  priority: "high" | "medium" | "low";
  status: "pending" | "in_progress" | "completed";
}
export const PlanEntry = schemaFor<PlanEntry>()(
  z.looseObject({
    content: z.string(),
    priority: z.enum(planPriorities),
    status: z.enum(["pending", "in_progress", "completed"]),
    _meta: meta,
  }),
);

/** The whole plan; it replaces the one before (section 8.5). */
export interface PlanUpdate extends Extensible {
  sessionUpdate: "plan";
  entries: PlanEntry[];
}
export const PlanUpdate = schemaFor<PlanUpdate>()(
  z.looseObject({ sessionUpdate: z.literal("plan"), entries: z.array(PlanEntry), _meta: meta }),
);

/** The session is in another mode now (section 8.6). */
export interface CurrentModeUpdate extends Extensible {
  sessionUpdate: "current_mode_update";
  currentModeId: string;
}
export const CurrentModeUpdate = schemaFor<CurrentModeUpdate>()(
  z.looseObject({ sessionUpdate: z.literal("current_mode_update"), currentModeId: z.string(), _meta: meta }),
);

/** A command that the user can type, such as `/review`. */
export interface AvailableCommand extends Extensible {
  /** Without the slash. */
  name: string;
  description?: string | undefined;
  /** Present when the command takes text. */
  input?: AvailableCommandInput | undefined;
}

/** The input that a command takes. */
export interface AvailableCommandInput extends Extensible {
  /** Placeholder to show while the input is empty. */
  hint?: string | undefined;
}
export const AvailableCommand = schemaFor<AvailableCommand>()(
  z.looseObject({
    name: z.string(),
    description: z.optional(z.string()),
    input: z.optional(z.looseObject({ hint: z.optional(z.string()), _meta: meta })),
    _meta: meta,
  }),
);

/** The session's commands, all of them (section 8, listed as not emitted by the spec's own agent). */
export interface AvailableCommandsUpdate extends Extensible {
  sessionUpdate: "available_commands_update";
  availableCommands: AvailableCommand[];
}
export const AvailableCommandsUpdate = schemaFor<AvailableCommandsUpdate>()(
  z.looseObject({
    sessionUpdate: z.literal("available_commands_update"),
    availableCommands: z.array(AvailableCommand),
    _meta: meta,
  }),
);

/** An update of a kind that this version does not know; it is kept as it came. */
export interface UnknownUpdate extends Extensible {
  sessionUpdate: UnknownTag;
}

/** One thing that happens in a session (section 8). */
export type SessionUpdate =
  | UserMessageChunk
  | AgentMessageChunk
  | AgentThoughtChunk
  | ToolCallStart
  | ToolCallProgress
  | PlanUpdate
  | CurrentModeUpdate
  | AvailableCommandsUpdate
  | ConfigOptionUpdate
  | SessionInfoUpdate
  | UsageUpdate
  | Notice
  | CompactionUpdate
  | CompactionSummaryChunk
  | UnknownUpdate;

/** The kinds that the specification names (section 8). */
const statedUpdates = {
  user_message_chunk: UserMessageChunk,
  agent_message_chunk: AgentMessageChunk,
  agent_thought_chunk: AgentThoughtChunk,
  tool_call: ToolCallStart,
  tool_call_update: ToolCallProgress,
  plan: PlanUpdate,
  current_mode_update: CurrentModeUpdate,
  available_commands_update: AvailableCommandsUpdate,
};

const updates = {
  ...statedUpdates,
  config_option_update: ConfigOptionUpdate,
  session_info_update: SessionInfoUpdate,
  usage_update: UsageUpdate,
  notice: Notice,
  compaction_update: CompactionUpdate,
  compaction_summary_chunk: CompactionSummaryChunk,
};

/** Tells an update that this version knows by name. */
export function isKnownUpdate(name: unknown): name is keyof typeof updates {
  return typeof name === "string" && Object.hasOwn(updates, name);
}

/** Tells an update that the specification names (section 8). */
export function isStatedUpdate(name: unknown): boolean {
  return typeof name === "string" && Object.hasOwn(statedUpdates, name);
}

/** The kinds that only version 1 has. */
export const unstatedUpdates: readonly string[] = Object.keys(updates).filter((name) => !isStatedUpdate(name));

export const SessionUpdate = openUnion<SessionUpdate>("sessionUpdate", updates);

/** Tells the client what happens in a session (section 8). */
export interface SessionUpdateParams extends Extensible {
  sessionId: string;
  update: SessionUpdate;
}
export const SessionUpdateParams = schemaFor<SessionUpdateParams>()(
  z.looseObject({ sessionId: SessionId, update: SessionUpdate, _meta: meta }),
);
