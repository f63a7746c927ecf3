import type { Case } from "./case.js";

/** What decides whether cases can follow each other on one connection. */
interface LaneSetting {
  readonly transport: string;
  /** The framing of the suite's messages in this run. */
  readonly framing: "line" | "header";
}

/**
 * The lane of a case: cases of one lane may share connections. `undefined`: the case gets a connection of its own. Only
 * on stdio is a connection a process; elsewhere a new one costs nothing, so that rough cases need not share.
 */
export function laneOf(
  { isolation = "session", framing, faults = [], shares }: Case,
  run: LaneSetting,
): string | undefined {
  if (shares === true) return isolation === "session" ? `session ${faults.join()}` : undefined;
  if (isolation === "connection" || faults.length > 0) return undefined;
  if (isolation === "session") return framing === undefined || framing === run.framing ? isolation : undefined;
  return run.transport === "stdio" ? `${isolation} ${framing ?? run.framing}` : undefined;
}
