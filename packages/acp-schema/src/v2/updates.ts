import { openUnion, schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "../extensible.js";
import { SessionId } from "../session-id.js";
import type { Notice } from "../session-updates.js";
import type { UnknownUpdate } from "../updates.js";
import { StateUpdate } from "./activity.js";
import { V2AvailableCommandsUpdate } from "./commands.js";
import { type MessageChunk, type MessageUpdate, messageUpdates } from "./messages.js";
import { planUpdates, type V2PlanRemoved, type V2PlanUpdate } from "./plans.js";
import {
  type ReplayComplete,
  sessionUpdates,
  type V2CompactionSummaryChunk,
  type V2CompactionUpdate,
  type V2ConfigOptionUpdate,
  type V2SessionInfoUpdate,
  type V2UsageUpdate,
} from "./session-updates.js";
import {
  subagentUpdates,
  type V2SessionMessage,
  type V2SessionMessageChunk,
  type V2SubagentUpdate,
} from "./subagents.js";
import { type TerminalOutputChunk, type TerminalUpdate, terminalUpdates } from "./terminals.js";
import { type ToolCallContentChunk, toolCallUpdates, type V2ToolCallProgress } from "./tool-calls.js";

/** One thing that happens in a session (prompt-lifecycle#3-agent-reports-output). */
export type V2SessionUpdate =
  | MessageUpdate<"user_message">
  | MessageUpdate<"agent_message">
  | MessageUpdate<"agent_thought">
  | MessageChunk<"user_message">
  | MessageChunk<"agent_message">
  | MessageChunk<"agent_thought">
  | StateUpdate
  | V2ToolCallProgress
  | ToolCallContentChunk
  | TerminalUpdate
  | TerminalOutputChunk
  | V2PlanUpdate
  | V2PlanRemoved
  | V2AvailableCommandsUpdate
  | V2ConfigOptionUpdate
  | V2SessionInfoUpdate
  | V2UsageUpdate
  | Notice
  | V2CompactionUpdate
  | V2CompactionSummaryChunk
  | ReplayComplete
  | V2SubagentUpdate
  | V2SessionMessage
  | V2SessionMessageChunk
  | UnknownUpdate;
export const V2SessionUpdate = openUnion<V2SessionUpdate>("sessionUpdate", {
  ...messageUpdates,
  state_update: StateUpdate,
  ...toolCallUpdates,
  ...terminalUpdates,
  ...planUpdates,
  available_commands_update: V2AvailableCommandsUpdate,
  ...sessionUpdates,
  ...subagentUpdates,
});

/** Tells the client what happens in a session. */
export interface V2SessionUpdateParams extends Extensible {
  sessionId: string;
  update: V2SessionUpdate;
}
export const V2SessionUpdateParams = schemaFor<V2SessionUpdateParams>()(
  z.looseObject({ sessionId: SessionId, update: V2SessionUpdate, _meta: meta }),
);
