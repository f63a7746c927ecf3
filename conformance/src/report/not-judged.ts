import type { RunReport } from "../core/verdict/report.js";
import { counted } from "./counts.js";

/** How many behaviors the line names. */
const NAMED = 3;

/** One line about what the target was not asked for, and the option that judges it. */
export function notJudgedLine({ notJudged, run }: Pick<RunReport, "notJudged" | "run">): string | undefined {
  if (notJudged === undefined) return undefined;
  const { behaviors, cases, requirements } = notJudged;
  const more = behaviors.length - NAMED;
  const names = `${behaviors.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  const what = `${counted(requirements.length, "requirement")} in ${counted(cases.length, "case")}`;
  const how = run.behaviors === "none" ? "--behaviors model judges them" : "the target is not said to do so";
  return `not judged: ${what}, for want of ${names} on request; ${how}`;
}
