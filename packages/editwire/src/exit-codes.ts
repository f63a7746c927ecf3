import type { StopEvent } from "./exec/exec.js";

/** The exit codes of all commands. Those above 100 are the ones that shells and `timeout` use. */
export const exitCodes = {
  ended: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  timedOut: 124,
  noAgent: 127,
  cancelled: 130,
  terminated: 143,
} as const;

/** The exit code for the end of a turn that nobody cancelled. */
export function exitCodeOf({ stopReason }: StopEvent): number {
  if (stopReason === "end_turn") return exitCodes.ended;
  if (stopReason === "error") return exitCodes.failed;
  return stopReason === "cancelled" ? exitCodes.cancelled : exitCodes.refused;
}
