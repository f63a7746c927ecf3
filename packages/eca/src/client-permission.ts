import type { ToolCallState } from "./client-tool-call.js";
import type { EcaSession } from "./client-session.js";

/**
 * How a person, or a policy, answers. `allow_always` also allows the later calls of the tool, on servers that support it. The protocol
 * has one rejection, so `reject_always` and `cancelled` mean the same as `reject_once`.
 */
export type PermissionAnswer = "allow_once" | "allow_always" | "reject_once" | "reject_always" | "cancelled";

/**
 * Decides whether a tool call that waits for the user may run. When it returns `undefined`, the call waits for
 * `session.answerPermission`. `signal` aborts when the turn is cancelled or ends; a later answer is ignored. When the handler throws,
 * the call is rejected.
 */
export type PermissionHandler = (
  toolCall: ToolCallState,
  context: { readonly session: EcaSession; readonly signal: AbortSignal },
) => PermissionAnswer | undefined | Promise<PermissionAnswer | undefined>;

/** Rejects every call: what a client without a handler does. */
export const rejectAll: PermissionHandler = () => "reject_once";

/** Says whether an answer lets the call run. */
export function allows(answer: PermissionAnswer): boolean {
  return answer === "allow_once" || answer === "allow_always";
}
