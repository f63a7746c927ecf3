import type { Target } from "../../wire/link.js";
import type { Calibration } from "../run/calibrate.js";
import type { Case } from "../run/case.js";
import type { CaseSetting } from "../run/case-setting.js";
import { causesOf } from "./causes.js";
import { exitCodeOf } from "./exit-code.js";
import { profileOf } from "../talk/find.js";
import type { Basis } from "../registry/requirement.js";
import type { RunOptions } from "../run/options.js";
import { missingBehaviors } from "../run/behaviors.js";
import { bindsIn, casesIn } from "../registry/profile.js";
import { registryIn } from "../registry/select-in.js";
import type { ConformanceProtocol } from "../protocol.js";
import type { NotJudged, RunInfo, RunReport } from "./report.js";
import type { CaseResult } from "./check.js";
import { isAbout } from "../run/select.js";
import { basisVerdicts, judgeRun, requirementResults } from "./summarize.js";
import { totalsOf } from "./verdict.js";

/** The parts of a report. */
export interface ReportParts {
  readonly protocol: ConformanceProtocol;
  readonly setting: CaseSetting;
  readonly options: RunOptions;
  readonly calibration: Calibration;
  readonly results: readonly CaseResult[];
  readonly startedAt: Date;
  readonly target: Target;
  /** The cases that were to run. */
  readonly cases: readonly Case[];
  /** These, and those that ask the target for what it does not show. */
  readonly selected: readonly Case[];
}

/** The cases of a role and a profile that this run does not have. */
function casesLeftOut(protocol: ConformanceProtocol, role: string, profile: string, ran: ReadonlySet<string>): Case[] {
  return casesIn(protocol.cases, protocol.registry(), profileOf(protocol, profile)).filter(
    (one) => one.role === role && !ran.has(one.id),
  );
}

/** Creates the report of a run. */
export function makeReport(parts: ReportParts): RunReport {
  const { protocol, setting, options, calibration, results, startedAt, target, cases } = parts;
  const { role, baseline, strict = false, basis = ["stated"], signal } = options;
  const profile = setting.profile.name;
  const ran = new Set(results.map(({ id }) => id)); // not the others, after `bail`
  const missing = casesLeftOut(protocol, role, profile, ran);
  const facts = {
    results,
    baseline,
    transport: target.transport,
    profile,
    today: startedAt.toISOString().slice(0, 10),
    leftOut: missing.length === 0 ? [] : [...missing, ...protocol.monitors].map(({ id }) => id),
    whole: !missing.some((one) => isAbout(one, target.transport)),
    strict,
    basis,
  };
  const unjudged = setting.over.late ? unjudgedMusts(parts, basis) : [];
  const judged = judgeRun({
    ...facts,
    interrupted: signal?.aborted === true && options.watch !== true,
    targetError: calibration.error !== undefined,
    late: unjudged.length > 0,
  });
  const requirements = requirementResults(
    registryIn(protocol.registry(), profile),
    { role, profile, transport: target.transport },
    results,
  );
  const notJudged = notJudgedIn(parts);
  const error = calibration.error ?? (unjudged.length > 0 ? setting.over.reason : undefined);
  const notes = [...(setting.over.late ? [progressNote(parts, unjudged)] : []), ...setting.known.causes];
  return {
    run: runInfo(parts),
    target: calibration.target,
    ...judged,
    exitCode: exitCodeOf(judged.outcome),
    ...(notes.length > 0 && { notes }),
    ...(error !== undefined && { error }),
    ...(notJudged.cases.length > 0 && { notJudged }),
    cases: results,
    totals: {
      cases: totalsOf(results.map(({ verdict }) => verdict)),
      checks: totalsOf(results.flatMap(({ checks }) => checks.map(({ verdict }) => verdict))),
    },
    causes: causesOf(results, new Set(judged.baseline?.expected.map(({ check }) => check))),
    requirements,
    verdicts: basisVerdicts(requirements, facts.whole && results.length > cases.length),
  };
}

/** The musts that decide, and that no case has judged within the time limit. */
function unjudgedMusts({ cases, results, setting }: ReportParts, basis: readonly Basis[]): string[] {
  const judged = new Set(results.flatMap(({ checks }) => checks.map(({ req }) => req)));
  return [...new Set(cases.flatMap(({ emits }) => emits))].filter((req) => {
    const row = setting.lookup(req);
    return row.level === "must" && basis.includes(row.basis) && bindsIn(row, setting.profile.name) && !judged.has(req);
  });
}

/** How far a run came until its time limit. */
function progressNote({ cases, results, setting }: ReportParts, unjudged: readonly string[]): string {
  const ran = results.filter(({ id }) => id !== "calibration").length;
  const left =
    unjudged.length === 0 ? "each must was judged at least once" : `${unjudged.length} musts were not judged`;
  return `${setting.over.reason ?? ""}: ${ran} of ${cases.length} cases ran, and ${left}; --limit gives more time`;
}

/** The behaviors that the target would have to show on request, and does not. */
function notJudgedIn({ cases, selected, results, setting }: ReportParts): NotJudged {
  const left = selected.filter((one) => !cases.includes(one));
  const judged = new Set(results.flatMap(({ checks }) => checks.map(({ req }) => req)));
  return {
    cases: left.map(({ id }) => id),
    behaviors: [...new Set(left.flatMap((one) => missingBehaviors(one, setting.behaviors)))],
    requirements: [...new Set(left.flatMap(({ emits }) => emits))].filter(
      (req) => !judged.has(req) && bindsIn(setting.lookup(req), setting.profile.name),
    ),
  };
}

function runInfo({ protocol, setting, options, startedAt, target, cases }: ReportParts): RunInfo {
  const { role, strict = false, basis = ["stated"], timeScale = 1, faults = [], framing } = options;
  return {
    protocol: protocol.name,
    role,
    profile: setting.profile.name,
    target: target.description,
    transport: target.transport,
    seed: setting.seed,
    timeScale,
    faults,
    framing: framing ?? protocol.framing ?? "line",
    behaviors: setting.behaviors.mode,
    strict,
    basis,
    selected: cases.length,
    spec: protocol.registry().specPin,
    startedAt: startedAt.toISOString(),
    ms: Date.now() - startedAt.getTime(),
  };
}
