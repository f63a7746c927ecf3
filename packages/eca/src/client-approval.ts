import type { ToolCallState } from "./chat-tool-call.js";
import type { EcaChat } from "./client-chat.js";

/** How a person, or a policy, decides: `approve_session` also approves the tool's later calls, where the server knows that. */
export type ApprovalAnswer = "approve" | "approve_session" | "reject";

/**
 * Decides about a tool call that waits for the user. Without an answer it keeps waiting for the chat's `approve` or `reject`.
 * `signal` aborts when the turn is stopped or ends; a later answer is then ignored. What it throws rejects the call.
 */
export type ApprovalHandler = (
  toolCall: ToolCallState,
  context: { readonly chat: EcaChat; readonly signal: AbortSignal },
) => ApprovalAnswer | undefined | Promise<ApprovalAnswer | undefined>;
