import type { HelixZedAnswerMessage } from "../host/records.js";

/** Where a tool call stands; `waiting` means that it waits for the user. */
export type HelixZedToolCallStatus =
  | "pending"
  | "waiting"
  | "in_progress"
  | "completed"
  | "failed"
  | "rejected"
  | "cancelled";

/** A tool call among the messages of an answer. */
export interface HelixZedToolCallState {
  readonly toolCallId: string;
  readonly title: string;
  readonly status: HelixZedToolCallStatus;
  /** The text that the agent shows for the call, such as Markdown. */
  readonly text: string;
}

/** The words of Zed for each status. */
const words: Readonly<Record<HelixZedToolCallStatus, string>> = {
  pending: "Pending",
  waiting: "Waiting for confirmation",
  in_progress: "In Progress",
  completed: "Completed",
  failed: "Failed",
  rejected: "Rejected",
  cancelled: "Canceled",
};

const statuses = new Map<string, HelixZedToolCallStatus>([
  ...Object.entries(words).map(([status, word]) => [word.toLowerCase(), status as HelixZedToolCallStatus] as const),
  ["cancelled", "cancelled"],
]);

/** A status as the wire has it. */
export function statusWord(status: HelixZedToolCallStatus): string {
  return words[status];
}

/**
 * The tool call that a message describes; `undefined` for other messages. An unknown status counts as `in_progress`.
 */
export function toolCallIn(message: HelixZedAnswerMessage): HelixZedToolCallState | undefined {
  if (message.entryType !== "tool_call") return undefined;
  const { id, content, toolName = "", toolStatus = "" } = message;
  const status = statuses.get(toolStatus.toLowerCase().replaceAll("_", " ")) ?? "in_progress";
  return { toolCallId: id, title: toolName, status, text: content };
}
