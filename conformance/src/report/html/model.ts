import { decidingIn } from "../deciding.js";
import { type Status, statuses } from "../counts.js";
import type { CaseDocument, ReportDocument, RequirementDocument } from "../document.js";
import { wellFormed } from "./router.js";

/** A case with what the page needs to find it. */
export interface CaseItem {
  /** Its id, made unique when several reports are shown. */
  readonly key: string;
  readonly report: ReportDocument;
  readonly result: CaseDocument;
  readonly requirements: ReadonlySet<string>;
  /** It is one of the causes of its run's outcome. */
  readonly decides: boolean;
  /** Lower case: what the text search looks through. */
  readonly text: string;
}

/** A requirement with everything that was found about it, in all reports. */
export interface RequirementItem {
  readonly id: string;
  /** The requirement's area, such as `ACP-CANCEL`. */
  readonly area: string;
  readonly row: RequirementDocument;
  readonly status: Status;
  readonly proven: boolean | undefined;
  readonly checks: readonly { readonly item: CaseItem; readonly check: CaseDocument["checks"][number] }[];
  readonly text: string;
}

/** All that is shown. */
export interface Model {
  readonly reports: readonly ReportDocument[];
  /** The gravest verdict first. */
  readonly cases: readonly CaseItem[];
  readonly casesByKey: ReadonlyMap<string, CaseItem>;
  readonly requirements: readonly RequirementItem[];
  /** The key of a report's case. */
  keyOf(report: ReportDocument, id: string): string;
}

/** From what needs a look first to what needs none. */
export const gravity: readonly Status[] = [
  "harness-error",
  "fail",
  "blocked",
  "warn",
  "info",
  "pass",
  "untested",
  "not-applicable",
  "excluded",
];

/** Brings reports into the form that the views need. */
export function modelOf(reports: readonly ReportDocument[]): Model {
  const first = new Map<string, ReportDocument>();
  for (const report of reports) for (const { id } of report.cases) if (!first.has(id)) first.set(id, report);
  const keyOf = (report: ReportDocument, id: string): string =>
    wellFormed(first.get(id) === report ? id : `${id}@${reports.indexOf(report) + 1}`);
  const cases = reports.flatMap((report) => {
    const deciding = new Set(decidingIn(report).flatMap((cause) => cause.cases));
    return report.cases.map(
      (result): CaseItem => ({
        key: keyOf(report, result.id),
        report,
        result,
        requirements: new Set(result.checks.map(({ req }) => req)),
        decides: deciding.has(result.id),
        text: caseText(result),
      }),
    );
  });
  const sorted = [...cases].sort(
    (a, b) =>
      Number(b.decides) - Number(a.decides) || gravity.indexOf(a.result.verdict) - gravity.indexOf(b.result.verdict),
  );
  return {
    reports,
    cases: sorted,
    casesByKey: new Map(cases.map((item) => [item.key, item])),
    requirements: requirementsOf(reports, sorted),
    keyOf,
  };
}

function caseText({ id, title, reason = "", checks, trace = [] }: CaseDocument): string {
  const methods = new Set(
    trace.flatMap((entry) =>
      entry.kind === "message" && entry.reading?.method !== undefined ? [entry.reading.method] : [],
    ),
  );
  const findings = checks.flatMap(({ req, message = "", expected = "" }) => [req, message, expected]);
  return [id, title, reason, ...findings, ...methods].join("\n").toLowerCase();
}

function requirementsOf(reports: readonly ReportDocument[], cases: readonly CaseItem[]): RequirementItem[] {
  const rows = new Map<string, RequirementDocument[]>();
  for (const { requirements } of reports)
    for (const row of requirements) rows.set(row.id, [...(rows.get(row.id) ?? []), row]);
  const checks = new Map<string, { item: CaseItem; check: CaseDocument["checks"][number] }[]>();
  for (const item of cases) {
    for (const check of item.result.checks) {
      const list = checks.get(check.req);
      if (list === undefined) checks.set(check.req, [{ item, check }]);
      else list.push({ item, check });
    }
  }
  return [...rows].flatMap(([id, all]): RequirementItem[] => {
    const row = all[0];
    if (row === undefined) return [];
    const known = all.flatMap(({ proven }) => (proven === undefined ? [] : [proven]));
    return [
      {
        id,
        area: id.split("-").slice(0, 2).join("-"),
        row,
        status: gravest(all.map(({ status }) => status)),
        proven: known.length === 0 ? undefined : known.includes(true),
        checks: (checks.get(id) ?? []).sort(
          (a, b) => gravity.indexOf(a.check.verdict) - gravity.indexOf(b.check.verdict),
        ),
        text: [id, row.text, row.excluded ?? "", ...row.quotes.map(({ text }) => text)].join("\n").toLowerCase(),
      },
    ];
  });
}

function gravest(list: readonly Status[]): Status {
  return gravity.find((status) => list.includes(status)) ?? "untested";
}

/** The name and the version of a run's target; an unnamed target has its command. */
export function targetName({ target: { name, version }, run }: Pick<ReportDocument, "target" | "run">): string {
  return [name ?? run.target, version].filter((part) => part !== undefined).join(" ");
}

/** The name of a run: its role, and more when several runs have that role. */
export function runName(report: ReportDocument, reports: readonly ReportDocument[]): string {
  const role = ({ run }: ReportDocument): string => `${run.protocol} ${run.role}`;
  const alike = reports.filter((other) => role(other) === role(report));
  if (alike.length === 1) return role(report);
  const { run, target } = report;
  return `${role(report)} ${alike.indexOf(report) + 1} · ${target.name ?? run.target} · ${run.transport}`;
}

/** The number of each status that occurs. */
export function countStatuses(list: Iterable<Status>): Map<Status, number> {
  const counts = new Map<Status, number>(statuses.map((status) => [status, 0]));
  for (const status of list) counts.set(status, (counts.get(status) ?? 0) + 1);
  return new Map([...counts].filter(([, count]) => count > 0));
}
