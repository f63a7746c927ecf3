import type { EcaSession } from "./client-session-api.js";
import type { ToolCallState } from "./client-tool-call.js";

/**
 * How a person, or a policy, answers. `allow_always` also allows later calls of the tool, on servers that support it.
 * The protocol has one rejection, so `reject_always` and `cancelled` mean the same as `reject_once`.
 */
export type PermissionAnswer = "allow_once" | "allow_always" | "reject_once" | "reject_always" | "cancelled";

/**
 * Decides whether a tool call that waits for the user may run. `undefined` leaves it open for
 * `session.answerPermission`. `signal` aborts when the turn is cancelled or ends, and a later answer is then ignored.
 * What it throws rejects the call.
 */
export type PermissionHandler = (
  toolCall: ToolCallState,
  context: { readonly session: EcaSession; readonly signal: AbortSignal },
) => Promise<PermissionAnswer | undefined>;

/** The handler that an option stands for. */
export function permissionHandler(option: PermissionHandler | "manual" | undefined): PermissionHandler {
  if (typeof option === "function") return option;
  return option === "manual" ? async () => undefined : async () => "reject_once";
}

/** Says whether an answer lets the call run. */
export function allows(answer: PermissionAnswer): boolean {
  return answer === "allow_once" || answer === "allow_always";
}
