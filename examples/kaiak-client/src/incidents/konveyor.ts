import { isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import type { IncidentList, LocatedIncident } from "./incident-list.js";

const incident = z.looseObject({
  uri: z.string(),
  message: z.string().nullish(),
  /** The analyzer writes 0 for an incident without a line. */
  lineNumber: z.int().nullish(),
});

const violation = z.looseObject({
  description: z.string().nullish(),
  category: z.string().nullish(),
  effort: z.number().nullish(),
  labels: z.array(z.string()).nullish(),
  incidents: z.array(incident).nullish(),
});
type Violation = z.infer<typeof violation>;

const report = z.array(z.looseObject({ violations: z.record(z.string(), violation).nullish() }));

/** Where the analyzer saw the project, and where it is here. Both are absolute paths. */
export interface Roots {
  readonly report: string;
  readonly project: string;
}

/** Kaiak's severity for each category of the analyzer, which calls what has no category `potential`. */
const severities: Readonly<Record<string, string>> = { mandatory: "error", potential: "warning", optional: "info" };

/** Kaiak's effort for story points of up to each number, which rules give from 0 to 13. */
const efforts: readonly (readonly [points: number, effort: string])[] = [
  [1, "trivial"],
  [3, "low"],
  [5, "medium"],
  [Number.POSITIVE_INFINITY, "high"],
];

/** Reads the report of Konveyor's analyzer, a list of rulesets with their violations. Throws a `ZodError`. */
export function readKonveyorReport(value: unknown, roots: Roots): IncidentList {
  const violations = report.parse(value).flatMap((ruleset) => Object.entries(ruleset.violations ?? {}));
  return {
    incidents: violations.flatMap(([ruleId, found]) => incidentsOf(ruleId, found, roots)),
    context: contextOf(violations.flatMap(([, { labels }]) => labels ?? [])),
  };
}

function incidentsOf(rule_id: string, found: Violation, roots: Roots): LocatedIncident[] {
  const description = found.description?.trim();
  const { category, effort } = found;
  return (found.incidents ?? []).map(({ uri, message, lineNumber }, index) => ({
    id: `${rule_id}-${index + 1}`,
    rule_id,
    message: message?.trim() || description || rule_id,
    ...(description ? { description } : {}),
    severity: severities[category ?? "potential"] ?? "warning",
    ...(typeof effort === "number" ? { effort: effortOf(effort) } : {}),
    uri: localUri(uri, roots),
    ...(lineNumber ? { line_number: lineNumber } : {}),
  }));
}

function effortOf(points: number): string {
  return efforts.find(([most]) => points <= most)?.[1] ?? "high";
}

/** The path from the project's folder; the URI itself for what is not a file below the report's root. */
function localUri(uri: string, { report: root, project }: Roots): string {
  if (!uri.startsWith("file:")) return uri;
  const way = relative(root, fileURLToPath(uri));
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) return uri;
  return relative(project, join(project, way)).split(sep).join("/");
}

/** The technologies of the labels, such as `konveyor.io/target=openjdk17`. */
function contextOf(labels: readonly string[]): IncidentList["context"] {
  const valuesOf = (name: string): string =>
    [...new Set(labels.filter((label) => label.startsWith(`${name}=`)).map((label) => label.slice(name.length + 1)))]
      .filter((value) => value !== "")
      .join(", ");
  const [source, target] = [valuesOf("konveyor.io/source"), valuesOf("konveyor.io/target")];
  return {
    ...(source === "" ? {} : { source_technology: source }),
    ...(target === "" ? {} : { target_technology: target }),
  };
}
