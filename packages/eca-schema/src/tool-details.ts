import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, type OpenEnum, openEnum } from "./extensible.js";

/** The change that a tool call makes to a file (#chat-content-received). */
export interface FileChangeDetails extends Extensible {
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
export interface JsonOutputsDetails extends Extensible {
  type: "jsonOutputs";
  jsons: string[];
}
export const JsonOutputsDetails = schemaFor<JsonOutputsDetails>()(
  z.looseObject({ type: z.literal("jsonOutputs"), jsons: z.array(z.string()) }),
);

/** Another agent that the tool call runs; in `v2026`. */
export interface SubagentDetails extends Extensible {
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
export interface TaskItem extends Extensible {
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
export interface TaskSummary extends Extensible {
  done: number;
  inProgress: number;
  pending: number;
  total: number;
}

/** A plan; in `v2026`. */
export interface TaskDetails extends Extensible {
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

/** Details of a kind that this version does not know, such as `shellCommand`; they are kept as they came. */
export interface UnknownDetails extends Extensible {
  type: UnknownTag;
}

/** What a client may show of a tool call besides its output (#chat-content-received). */
export type ToolCallDetails = FileChangeDetails | JsonOutputsDetails | SubagentDetails | TaskDetails | UnknownDetails;
export const ToolCallDetails = openUnion<ToolCallDetails>("type", {
  fileChange: FileChangeDetails,
  jsonOutputs: JsonOutputsDetails,
  subagent: SubagentDetails,
  task: TaskDetails,
});
