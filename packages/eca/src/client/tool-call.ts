import {
  appendArguments,
  type ToolArguments,
  type ToolCallDetails,
  type ToolCalledContent,
  type ToolCallOrigin,
  type ToolCallOutput,
  type ToolCallPrepareContent,
  type ToolCallRejectedContent,
  type ToolCallRejectReason,
  type ToolCallRunContent,
  type ToolCallRunningContent,
} from "@editwire/eca-schema";
import { isOpenCall } from "@editwire/session";

/**
 * How far a tool call is. Only a call that is `waiting` can be allowed or rejected; `cancelled` means that its turn
 * ended before the call did.
 */
export type EcaToolCallStatus =
  | "pending"
  | "waiting"
  | "in_progress"
  | "completed"
  | "failed"
  | "rejected"
  | "cancelled";

/** A tool call, merged from everything that was received about it so far. */
export interface EcaToolCallState {
  /** Unique in its session. */
  readonly toolCallId: string;
  /** The text to show: the `summary` if the server sent one, otherwise the `name`. */
  readonly title: string;
  readonly name: string;
  readonly status: EcaToolCallStatus;
  readonly origin: ToolCallOrigin;
  /** The MCP server of the tool, if it is known. */
  readonly server: string | undefined;
  /** The arguments as the model wrote them so far. */
  readonly argumentsText: string;
  /** The arguments that the tool is run with; absent until then. */
  readonly arguments: ToolArguments | readonly unknown[] | undefined;
  /** Such as "Reading file foo". */
  readonly summary: string | undefined;
  readonly details: ToolCallDetails | undefined;
  readonly outputs: readonly ToolCallOutput[];
  /** Why the call was rejected. */
  readonly reason: ToolCallRejectReason | undefined;
  readonly totalTimeMs: number | undefined;
}

/** The contents that are about one tool call. */
export type ToolCallContent =
  | ToolCallPrepareContent
  | ToolCallRunContent
  | ToolCallRunningContent
  | ToolCalledContent
  | ToolCallRejectedContent;

/** Merges one more content into a tool call. */
export function readToolCall(before: EcaToolCallState | undefined, content: ToolCallContent): EcaToolCallState {
  const { id, name, origin } = content;
  const summary = content.summary ?? before?.summary;
  const call: EcaToolCallState = {
    toolCallId: id,
    title: summary ?? name,
    name,
    origin,
    status: before?.status ?? "pending",
    server: content.server ?? before?.server,
    argumentsText: before?.argumentsText ?? "",
    arguments: before?.arguments,
    summary,
    details: content.details ?? before?.details,
    outputs: before?.outputs ?? [],
    reason: before?.reason,
    totalTimeMs: before?.totalTimeMs,
  };
  switch (content.type) {
    case "toolCallPrepare":
      return { ...call, argumentsText: appendArguments(call.argumentsText, content.argumentsText) };
    case "toolCallRun": {
      if (call.status !== "pending") return call; // some servers repeat it: what was decided stays decided
      return { ...call, arguments: content.arguments, status: content.manualApproval ? "waiting" : "in_progress" };
    }
    case "toolCallRunning":
      return isOpenCall(call) ? { ...call, arguments: content.arguments, status: "in_progress" } : call;
    case "toolCalled": {
      const { outputs, error, totalTimeMs } = content;
      return { ...call, arguments: content.arguments, outputs, totalTimeMs, status: error ? "failed" : "completed" };
    }
    case "toolCallRejected":
      return { ...call, arguments: content.arguments, reason: content.reason, status: "rejected" };
  }
}
