import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, type OpenEnum, openEnum } from "./extensible.js";

/** The change that a tool call makes to a file (#chat-content-received). */
export interface FileChangeDetails {
  type: "fileChange";
  path: string;
  diff: string;
  linesAdded: number;
  linesRemoved: number;
}
export const FileChangeDetails = schemaFor<FileChangeDetails>()(
  z.looseObject({
    type: z.literal("fileChange"),
    path: z.string(),
    diff: z.string(),
    linesAdded: z.int(),
    linesRemoved: z.int(),
  }),
);

/** Output that is JSON, formatted for reading; in `v2026`. */
export interface JsonOutputsDetails {
  type: "jsonOutputs";
  jsons: string[];
}
export const JsonOutputsDetails = schemaFor<JsonOutputsDetails>()(
  z.looseObject({ type: z.literal("jsonOutputs"), jsons: z.array(z.string()) }),
);

/** Another agent that the tool call runs; in `v2026`. */
export interface SubagentDetails {
  type: "subagent";
  /** The chat of that agent, known from `toolCallRun` on. */
  subagentChatId?: string | undefined;
  model: string;
  variant?: string | undefined;
  agentName: string;
  /** Absent for no limit. */
  maxSteps?: number | undefined;
  step: number;
}
export const SubagentDetails = schemaFor<SubagentDetails>()(
  z.looseObject({
    type: z.literal("subagent"),
    subagentChatId: z.optional(z.string()),
    model: z.string(),
    variant: z.optional(z.string()),
    agentName: z.string(),
    maxSteps: z.optional(z.number()),
    step: z.number(),
  }),
);

/** One task of a plan. */
export interface TaskItem {
  id: number;
  subject: string;
  description: string;
  status: OpenEnum<"pending" | "in-progress" | "done">;
  priority: OpenEnum<"high" | "medium" | "low">;
  isBlocked: boolean;
  /** The tasks that come first. */
  blockedBy?: number[] | undefined;
}

/** How many tasks of a plan are where. */
export interface TaskSummary {
  done: number;
  inProgress: number;
  pending: number;
  total: number;
}

/** A plan; in `v2026`. */
export interface TaskDetails {
  type: "task";
  tasks: TaskItem[];
  inProgressTaskIds: number[];
  summary: TaskSummary;
  activeSummary?: string | undefined;
}
export const TaskDetails = schemaFor<TaskDetails>()(
  z.looseObject({
    type: z.literal("task"),
    tasks: z.array(
      z.looseObject({
        id: z.number(),
        subject: z.string(),
        description: z.string(),
        status: openEnum(["pending", "in-progress", "done"]),
        priority: openEnum(["high", "medium", "low"]),
        isBlocked: z.boolean(),
        blockedBy: z.optional(z.array(z.number())),
      }),
    ),
    inProgressTaskIds: z.array(z.number()),
    summary: z.looseObject({ done: z.number(), inProgress: z.number(), pending: z.number(), total: z.number() }),
    activeSummary: z.optional(z.string()),
  }),
);

/** One command of a shell call, in `v2026`. */
export interface ShellCommand {
  command: string;
  args: string[];
  /** The scope of an approval that is remembered, such as `git checkout`. Absent for commands that always ask. */
  approvalKey?: string | undefined;
  /** Whether `approvalKey` is remembered already. */
  remembered?: boolean | undefined;
}

/** The commands of a shell call, for servers that could parse it; in `v2026`. */
export interface ShellCommandDetails {
  type: "shellCommand";
  commands: ShellCommand[];
  /** Whether it runs as a background job. */
  background?: boolean | undefined;
}
export const ShellCommandDetails = schemaFor<ShellCommandDetails>()(
  z.looseObject({
    type: z.literal("shellCommand"),
    commands: z.array(
      z.looseObject({
        command: z.string(),
        args: z.array(z.string()),
        approvalKey: z.optional(z.string()),
        remembered: z.optional(z.boolean()),
      }),
    ),
    background: z.optional(z.boolean()),
  }),
);

/** Details of a kind that this version does not know; they are kept as they came. */
export interface UnknownDetails extends Extensible {
  type: UnknownTag;
}

/** Details of a tool call that a client may show besides its output (#chat-content-received). */
export type ToolCallDetails =
  | FileChangeDetails
  | JsonOutputsDetails
  | SubagentDetails
  | TaskDetails
  | ShellCommandDetails
  | UnknownDetails;
export const ToolCallDetails = openUnion<ToolCallDetails>("type", {
  fileChange: FileChangeDetails,
  jsonOutputs: JsonOutputsDetails,
  subagent: SubagentDetails,
  task: TaskDetails,
  shellCommand: ShellCommandDetails,
});
