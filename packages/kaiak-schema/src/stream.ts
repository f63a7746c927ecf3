import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { anyObject, count, id, type Open, openText, timestamp } from "./fields.js";

/** A notification of a run. */
export interface StreamParams<Content> {
  session_id: string;
  /** The run; the same as in its result. */
  request_id: string;
  /** Unique in the session. */
  message_id: string;
  timestamp: string;
  content: Content;
}

const optionalText = z.optional(z.nullable(z.string()));
const frame = { session_id: id, request_id: id, message_id: z.string(), timestamp };

/** How far the run is. */
export interface ProgressContent {
  /** 0 to 100, and never less than before. */
  percentage: number;
  phase: string;
  description: string;
  current_step?: string | null | undefined;
  total_steps?: number | null | undefined;
}
/** The params of `kaiak/stream/progress`. */
export const ProgressParams = schemaFor<StreamParams<ProgressContent>>()(
  z.looseObject({
    ...frame,
    content: z.looseObject({
      percentage: z.number().check(z.minimum(0), z.maximum(100)),
      phase: z.string(),
      description: z.string(),
      current_step: optionalText,
      total_steps: z.optional(z.nullable(count)),
    }),
  }),
);

/** Text of the model. */
export interface AiResponseContent {
  text: string;
  /** More of the same text follows. */
  partial: boolean;
  /** 0 to 1. */
  confidence?: number | null | undefined;
  tokens?: number | null | undefined;
}
/** The params of `kaiak/stream/ai_response`. */
export const AiResponseParams = schemaFor<StreamParams<AiResponseContent>>()(
  z.looseObject({
    ...frame,
    content: z.looseObject({
      text: z.string(),
      partial: z.boolean(),
      confidence: z.optional(z.nullable(z.number().check(z.minimum(0), z.maximum(1)))),
      tokens: z.optional(z.nullable(count)),
    }),
  }),
);

/** A thought of the model. The specification leaves it out; the contracts before and after it have it. */
export interface ThinkingContent {
  text: string;
}
/** The params of `kaiak/stream/thinking`. */
export const ThinkingParams = schemaFor<StreamParams<ThinkingContent>>()(
  z.looseObject({ ...frame, content: z.looseObject({ text: z.string() }) }),
);

/** How a tool call stands. */
export type ToolStatus = Open<"pending" | "approved" | "denied" | "executing" | "completed" | "failed" | "timeout">;

/** The result of a tool. */
export interface ToolResult {
  success: boolean;
  output?: string | null | undefined;
  error?: string | null | undefined;
  /** Milliseconds. */
  execution_time?: number | null | undefined;
}

/** A tool call, each time that its status changes. */
export interface ToolCallContent {
  tool_name: string;
  operation: string;
  parameters: Record<string, unknown>;
  status: ToolStatus;
  result?: ToolResult | null | undefined;
  /** `v2026`: tells the calls apart. The specification does not have it. */
  tool_call_id?: string | undefined;
}
/** The params of `kaiak/stream/tool_call`. */
export const ToolCallParams = schemaFor<StreamParams<ToolCallContent>>()(
  z.looseObject({
    ...frame,
    content: z.looseObject({
      tool_name: z.string(),
      operation: z.string(),
      parameters: anyObject,
      status: openText<ToolStatus>(),
      result: z.optional(
        z.nullable(
          z.looseObject({
            success: z.boolean(),
            output: optionalText,
            error: optionalText,
            execution_time: z.optional(z.nullable(z.number())),
          }),
        ),
      ),
      tool_call_id: z.optional(z.string()),
    }),
  }),
);

/** The kind of answer that an interaction expects. */
export type InteractionType = Open<"confirmation" | "choice" | "text_input" | "file_approval" | "tool_permission">;

/** A question to the user. */
export interface UserInteractionContent {
  interaction_id: string;
  interaction_type: InteractionType;
  prompt: string;
  options?: string[] | null | undefined;
  /** The server takes it when nobody answers in time. */
  default_response?: string | null | undefined;
  /** Seconds. */
  timeout?: number | null | undefined;
  /** `v2026`: the JSON Schema of the answer. The specification does not have it. */
  requested_schema?: unknown;
}
/** The params of `kaiak/stream/user_interaction`. */
export const UserInteractionParams = schemaFor<StreamParams<UserInteractionContent>>()(
  z.looseObject({
    ...frame,
    content: z.looseObject({
      interaction_id: id,
      interaction_type: openText<InteractionType>(),
      prompt: z.string(),
      options: z.optional(z.nullable(z.array(z.string()))),
      default_response: optionalText,
      timeout: z.optional(z.nullable(z.number())),
      requested_schema: z.optional(z.unknown()),
    }),
  }),
);

/** A change of a file. */
export interface FileModificationContent {
  proposal_id: string;
  file_path: string;
  operation: Open<"create" | "modify" | "delete" | "rename" | "copy">;
  diff?: string | null | undefined;
  risk_level?: Open<"low" | "medium" | "high" | "critical"> | undefined;
  /** A `user_interaction` of the type `file_approval` follows. */
  requires_approval: boolean;
}
/** The params of `kaiak/stream/file_modification`. */
export const FileModificationParams = schemaFor<StreamParams<FileModificationContent>>()(
  z.looseObject({
    ...frame,
    content: z.looseObject({
      proposal_id: id,
      file_path: z.string(),
      operation: openText<"create" | "modify" | "delete" | "rename" | "copy">(),
      diff: optionalText,
      risk_level: z.optional(openText<"low" | "medium" | "high" | "critical">()),
      requires_approval: z.boolean(),
    }),
  }),
);

/** A fault. A fault that is not recoverable ends the run as `failed`. */
export interface ErrorContent {
  error_code: string;
  message: string;
  details?: string | null | undefined;
  recoverable: boolean;
  suggested_action?: string | null | undefined;
}
/** The params of `kaiak/stream/error`. */
export const ErrorParams = schemaFor<StreamParams<ErrorContent>>()(
  z.looseObject({
    ...frame,
    content: z.looseObject({
      error_code: z.string(),
      message: z.string(),
      details: optionalText,
      recoverable: z.boolean(),
      suggested_action: optionalText,
    }),
  }),
);

/** A status message of the server. */
export interface SystemContent {
  message: string;
  level: Open<"debug" | "info" | "warning" | "error">;
  component?: string | null | undefined;
}
/** The params of `kaiak/stream/system`. */
export const SystemParams = schemaFor<StreamParams<SystemContent>>()(
  z.looseObject({
    ...frame,
    content: z.looseObject({
      message: z.string(),
      level: openText<SystemContent["level"]>(),
      component: optionalText,
    }),
  }),
);
