import type { AcpToolCall } from "@editwire/acp";
import type { ToolCallUpdate } from "@editwire/acp-schema";
import type { TurnClient } from "./turn.js";

/**
 * Asks the user about a call that is shown already; the request carries all of it, the diff included.
 * Throws the signal's reason when the turn is cancelled.
 */
export async function askPermission(
  turn: TurnClient,
  { toolCallId }: AcpToolCall,
  view: Omit<ToolCallUpdate, "toolCallId" | "status">,
): Promise<boolean> {
  const { allowed } = await turn.requestPermission({ toolCallId, status: "pending", ...view });
  turn.signal.throwIfAborted();
  return allowed;
}
