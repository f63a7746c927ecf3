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

/** How far a tool call is. Only one that is `waiting` can be approved or rejected; `stopped` means that its turn ended first. */
export type ToolCallStatus = "preparing" | "waiting" | "running" | "done" | "failed" | "rejected" | "stopped";

/** A tool call as what was received so far leaves it. */
export interface ToolCallState {
  readonly id: string;
  readonly name: string;
  readonly status: ToolCallStatus;
  readonly origin: ToolCallOrigin;
  /** The server of the tool, where the server says it. */
  readonly server: string | undefined;
  /** The arguments as the model wrote them so far. */
  readonly argumentsText: string;
  /** The arguments that the tool is run with; absent until then. */
  readonly arguments: ToolArguments | readonly unknown[] | undefined;
  /** Such as "Reading file foo". */
  readonly summary: string | undefined;
  readonly details: ToolCallDetails | undefined;
  readonly outputs: readonly ToolCallOutput[];
  /** Why it was rejected, once it was. */
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

/** Says whether the server still works on a tool call, or waits for the user. */
export function isOpen({ status }: ToolCallState): boolean {
  return status === "preparing" || status === "waiting" || status === "running";
}

/** Merges one more content into a tool call. */
export function readToolCall(before: ToolCallState | undefined, content: ToolCallContent): ToolCallState {
  const { id, name, origin } = content;
  const call: ToolCallState = {
    id,
    name,
    origin,
    status: before?.status ?? "preparing",
    server: content.server ?? before?.server,
    argumentsText: before?.argumentsText ?? "",
    arguments: before?.arguments,
    summary: content.summary ?? before?.summary,
    details: content.details ?? before?.details,
    outputs: before?.outputs ?? [],
    reason: before?.reason,
    totalTimeMs: before?.totalTimeMs,
  };
  switch (content.type) {
    case "toolCallPrepare":
      return { ...call, argumentsText: appendArguments(call.argumentsText, content.argumentsText) };
    case "toolCallRun":
      return { ...call, arguments: content.arguments, status: content.manualApproval ? "waiting" : "running" };
    case "toolCallRunning":
      return { ...call, arguments: content.arguments, status: "running" };
    case "toolCalled": {
      const { outputs, error, totalTimeMs } = content;
      return { ...call, arguments: content.arguments, outputs, totalTimeMs, status: error ? "failed" : "done" };
    }
    case "toolCallRejected":
      return { ...call, arguments: content.arguments, reason: content.reason, status: "rejected" };
  }
}
