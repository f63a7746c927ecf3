import type { Case } from "./case.js";
import type { CaseSetting } from "./case-setting.js";

/** The facts that decide whether cases can follow each other on one connection. */
interface LaneSetting {
  readonly transport: string;
  /** The framing of the suite's messages in this run. */
  readonly framing: "line" | "header";
}

/** Which connections the cases of a run may take. */
export function lanesIn(run: LaneSetting): Pick<CaseSetting, "laneOf" | "endsIn"> {
  return { laneOf: (one) => laneOf(one, run), endsIn: (one) => endsIn(one, run) };
}

/**
 * The lane of a case: cases of one lane may share connections. `undefined`: the case gets a connection of its own. Only
 * on stdio is a connection a process; elsewhere a new one costs nothing, so that rough cases need not share.
 */
function laneOf({ isolation = "session", framing, faults = [], shares }: Case, run: LaneSetting): string | undefined {
  if (shares === true) return isolation === "session" ? `session ${faults.join()}` : undefined;
  if (isolation === "connection" || isolation === "last" || faults.length > 0) return undefined;
  if (isolation === "session") return framing === undefined || framing === run.framing ? isolation : undefined;
  return run.transport === "stdio" ? `${isolation} ${framing ?? run.framing}` : undefined;
}

/** The framing of a case that ends a process which no other case needs any longer; `undefined` for all others. */
function endsIn(
  { isolation, framing, faults = [], shares }: Case,
  run: LaneSetting,
): LaneSetting["framing"] | undefined {
  if (isolation !== "last" || run.transport !== "stdio" || faults.length > 0 || shares === true) return undefined;
  return framing ?? run.framing;
}
