import { UsageError } from "../core/errors.js";
import { isGood } from "../core/verdict/exit-code.js";
import type { Mutant } from "../core/mutant.js";
import type { ConformanceProtocol, Reference } from "../core/protocol.js";
import type { RunReport } from "../core/verdict/report.js";
import { globs } from "../core/run/select.js";
import { judgeMutant } from "./judge-mutant.js";
import { type MutantResult } from "./mutant-result.js";
import { referenceOf } from "./references.js";
import {
  casesFor,
  isPatient,
  type MutantOptions,
  referenceRunner,
  type RunReference,
  settingOf,
} from "./run-reference.js";

/** Which checks detected which mutant. */
export interface KillMatrix {
  readonly protocol: string;
  readonly role: string;
  /** The reference without a fault, once for each setting in use. It must pass everything. */
  readonly controls: readonly RunReport[];
  readonly mutants: readonly MutantResult[];
  /** Requirements that a mutant violated, with a check that noticed it. */
  readonly proven: readonly string[];
  /** Requirements of the role that are judged but that no mutant has proven. */
  readonly unproven: readonly string[];
  /** The controls passed, and every mutant got the verdict that it should. */
  readonly ok: boolean;
}

/** Benign mutants that run at the same time: each runs a whole suite, which keeps the process busy. */
const BENIGN_JOBS = 2;

/** Broken mutants that run whole suites at the same time: they mostly wait for what does not come. */
const WHOLE_JOBS = 6;

const overSockets: ReadonlySet<string> = new Set(["http", "ws"]);

/** A mutant, and what its run judged. The rest of the report has every message of the run, and is not kept. */
interface Judged extends Pick<RunReport, "requirements"> {
  readonly result: MutantResult;
}

/**
 * Runs the reference and every selected mutant of it against the suite. Throws a `UsageError` when nothing is selected.
 */
export async function runMutants(options: MutantOptions): Promise<KillMatrix> {
  const { protocol, role } = options;
  const reference = referenceOf(protocol, role);
  const selected = selectedBy(options);
  const run = referenceRunner(options);
  const controls = await runControls(protocol, reference, selected, run);
  const sound = controls.every(({ outcome }) => isGood(outcome));
  const judged = sound ? await judgeAll(selected, run, options) : [];

  const mutants = judged.map(({ result }) => result);
  const proven = new Set(mutants.flatMap(({ proves }) => proves));
  // A benign variant in a profile of its own is the control of that profile.
  const inProfiles = judged.filter(
    ({ result }, index) => selected[index]?.profile !== undefined && result.verdict === "benign",
  );
  const testable = [...controls, ...inProfiles].flatMap(({ requirements }) =>
    requirements.filter(({ status }) => status !== "excluded" && status !== "untested").map(({ id }) => id),
  );
  return {
    protocol: protocol.name,
    role,
    controls,
    mutants,
    proven: [...proven].sort(),
    unproven: [...new Set(testable)].filter((id) => !proven.has(id)),
    ok: sound && mutants.every(isRight),
  };
}

function selectedBy({ protocol, role, filter = [] }: MutantOptions): Mutant[] {
  const selected = protocol.mutants.filter(
    (one) => one.role === role && (filter.length === 0 || filter.some((pattern) => globs(pattern, one.id))),
  );
  if (selected.length === 0) throw new UsageError(`no ${role} mutant of ${protocol.name} is selected`);
  return selected;
}

/** Runs the reference without a fault in every setting that the mutants need. */
async function runControls(
  protocol: ConformanceProtocol,
  { http }: Reference,
  selected: readonly Mutant[],
  run: RunReference,
): Promise<RunReport[]> {
  const controls = [(await run(undefined, "memory")).report];
  if (http !== undefined && selected.some((one) => settingOf(one) === "http"))
    controls.push((await run(undefined, "http")).report);
  // The model changes nothing in the other cases.
  const withModel = selected.filter((one) => settingOf(one) === "model");
  const cases = withModel.flatMap((one) => casesFor(one, protocol, "memory"));
  if (withModel.length > 0) controls.push((await run(undefined, "model", { cases })).report);
  return controls;
}

/**
 * Runs and judges a mutant. Short deadlines save the time of the waits that a broken peer lets pass, but a busy machine
 * may miss them. So what they show counts if it is as expected, and otherwise the usual deadlines decide.
 */
async function judgeOne(mutant: Mutant, run: RunReference): Promise<Judged> {
  const setting = settingOf(mutant);
  const judge = async (patient: boolean): Promise<Judged> => {
    const { report, applied } = await run(mutant, setting, { patient });
    return { requirements: report.requirements, result: judgeMutant(mutant, report, applied) };
  };
  const isUsual = isPatient(mutant, setting);
  const first = await judge(isUsual);
  return isUsual || isRight(first.result) ? first : judge(true);
}

const isRight = ({ verdict }: MutantResult): boolean => verdict === "killed" || verdict === "benign";

/** Runs and judges every mutant, some at the same time. The results have the order of the mutants. */
async function judgeAll(
  selected: readonly Mutant[],
  run: RunReference,
  { every = false, jobs = every ? WHOLE_JOBS : 16, onResult = () => {} }: MutantOptions,
): Promise<Judged[]> {
  const judged = new Map<Mutant, Judged>();
  const work = async (queue: Mutant[]): Promise<void> => {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const one = await judgeOne(mutant, run);
      judged.set(mutant, one);
      onResult(one.result);
    }
  };
  const broken = selected.filter(({ violates }) => violates.length > 0);
  const benign = selected.filter(({ violates }) => violates.length === 0);
  // Mutants over sockets wait longest, so they start first.
  const queue = [
    ...broken.filter((one) => overSockets.has(settingOf(one))),
    ...broken.filter((one) => !overSockets.has(settingOf(one))),
  ];
  const working = Array.from({ length: jobs }, () => work(queue));
  // Benign mutants run whole suites and keep the process busy, so they start when the others mostly wait.
  await Promise.race(working);
  await Promise.all([...working, ...Array.from({ length: Math.min(jobs, BENIGN_JOBS) }, () => work(benign))]);
  return selected.flatMap((mutant) => judged.get(mutant) ?? []);
}
