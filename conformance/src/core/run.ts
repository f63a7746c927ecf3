import { TargetError } from "../wire/link.js";
import { behaviorsBy } from "./behaviors.js";
import { calibrate, type Calibration } from "./calibrate.js";
import type { Case } from "./case.js";
import type { CaseSetting } from "./case-setting.js";
import { type Connection, openConnection } from "./connection.js";
import { lookupIn } from "./lookup.js";
import { Known } from "./known.js";
import type { RunOptions } from "./options.js";
import { profileOf, roleOf } from "./find.js";
import { makeReport } from "./make-report.js";
import { casesIn } from "./profile.js";
import type { RoleSuite } from "./protocol.js";
import type { CaseResult, RunReport } from "./report.js";
import { overBy, untilOver } from "./over.js";
import { blockedCase, runCase } from "./run-case.js";
import { freshSeed } from "./seed.js";
import { selectCases } from "./select.js";
import { scaledTime } from "./time.js";
import { CaseEnd, UsageError } from "./errors.js";

const GRACE_MS = 2_000;
const LIMIT_MS = 900_000;
/** After this number of consecutive cases without any message from the target, the target counts as hung. */
const SILENT_CASES = 4;

/**
 * Judges one implementation in one role. The promise does not reject because of the target's behavior, which the report
 * describes. Throws a `UsageError` for invalid options.
 */
export async function runConformance(options: RunOptions): Promise<RunReport> {
  const { protocol, role } = options;
  const suite = roleOf(protocol, role);
  const profile = profileOf(protocol, options.profile);
  const {
    target,
    behaviors = "none",
    framing = protocol.framing ?? "line",
    faults = [],
    graceMs = GRACE_MS,
    timeScale = 1,
  } = options;
  const cases =
    options.watch === true
      ? [watchCase(suite)]
      : selectCases(casesIn(protocol.cases, protocol.registry(), profile), options, target.transport);
  const seed = options.seed ?? freshSeed();
  const connection = { protocol, profile, role, target, framing, faults, seed, graceMs };
  const known = new Known();
  const watched = options.watch === true;
  // The end of what is watched is not the end of the run: it is judged then.
  const over = overBy(
    watched ? undefined : options.signal,
    options.limitMs ?? (watched ? Number.POSITIVE_INFINITY : LIMIT_MS),
  );
  const setting: CaseSetting = {
    suite,
    lookup: lookupIn(protocol.registry()),
    time: scaledTime(timeScale, options.quietScale, () => known.patience),
    profile,
    behaviors: typeof behaviors === "string" ? behaviorsBy(behaviors) : behaviors,
    seed,
    known,
    over,
    connect(one) {
      const env = one === undefined || one.shares === true ? {} : { CONFORMANCE_CASE: one.id };
      return openConnection({
        ...connection,
        framing: one?.framing ?? framing,
        faults: [...faults, ...(one?.faults ?? [])],
        env,
        onAnswer: (ms) => known.answered(ms),
      });
    },
  };
  const startedAt = new Date();
  const calibration = await calibrate(setting, options.startMs);
  const first = calibration.connection;
  if (first !== undefined && options.watch === true)
    options.signal?.addEventListener("abort", () => void first.close());
  else if (first?.link.control === undefined && first !== undefined && suite.steered === true) first.tainted = true;
  options.onEvent?.({ type: "start", cases: cases.length });
  const results = await resultsOf(cases, { ...setting, startMs: calibration.target.startMs }, calibration, options);
  over.done();
  if (calibration.result !== undefined) results.unshift(calibration.result);
  return makeReport({ protocol, setting, options, calibration, results, startedAt, target, cases });
}

function watchCase({ watch, role }: RoleSuite): Case {
  if (watch === undefined)
    throw new UsageError(`a target in the role ${role} does not act by itself, so it cannot be watched`);
  return watch;
}

/** A target that cannot be reached has no results. A target that does not complete the handshake blocks every case. */
async function resultsOf(
  cases: readonly Case[],
  setting: CaseSetting,
  { error, missed, connection }: Calibration,
  options: RunOptions,
): Promise<CaseResult[]> {
  if (error !== undefined || setting.over.reason !== undefined) return [];
  if (missed !== undefined) return cases.map((one) => blockedCase(one, setting, missed));
  return runAll(cases, setting, connection, options);
}

/** Runs the cases, `jobs` at a time; the results are in the order of the cases. */
async function runAll(
  cases: readonly Case[],
  setting: CaseSetting,
  first: Connection | undefined,
  options: RunOptions,
): Promise<CaseResult[]> {
  const { jobs = 2, bail = Number.POSITIVE_INFINITY, onEvent = () => {} } = options;
  const results = new Map<string, CaseResult>();
  const queue = [...cases];
  let failed = 0;
  let silent = 0;
  const keep = (result: CaseResult): void => {
    results.set(result.id, result);
    onEvent({ type: "case", result });
    if (result.verdict === "fail" || result.verdict === "harness-error") failed += 1;
    if (isUnanswered(result)) silent += 1;
    else if (result.trace.length > 0) silent = 0;
  };
  const work = async (shared: Connection | undefined): Promise<void> => {
    let sharedWire: string | undefined;
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      if (setting.over.reason !== undefined || failed >= bail) break;
      if (silent >= SILENT_CASES) {
        keep(blockedCase(one, setting, "the target sent no message in the last cases"));
        continue;
      }
      const wire = one.shares === true ? one.faults?.join() : undefined;
      if (shared?.tainted === true || sharedWire !== wire) {
        await shared?.close();
        shared = undefined;
        sharedWire = wire;
      }
      const owned =
        one.isolation === "connection" ||
        one.framing !== undefined ||
        (one.faults !== undefined && one.shares !== true);
      const connection: Connection | TargetError = owned
        ? await reach(one, setting)
        : (shared ?? (await reach(wire === undefined ? undefined : one, setting)));
      if (connection instanceof TargetError) {
        keep(blockedCase(one, setting, connection.message));
        continue;
      }
      if (!owned) shared = connection;
      // A target that acts by itself does so once, so the next case needs a new start.
      if (setting.suite.steered === true && connection.link.control === undefined) connection.tainted = true;
      keep(await runCase(one, connection, setting, owned));
    }
    await shared?.close();
  };
  await Promise.all(
    Array.from({ length: Math.max(1, Math.min(jobs, cases.length)) }, (_, index) =>
      work(index === 0 ? first : undefined),
    ),
  );
  return cases.flatMap(({ id }) => results.get(id) ?? []);
}

/** True if the suite sent messages and received none. */
function isUnanswered({ verdict, trace }: CaseResult): boolean {
  const spoke = (party: string): boolean => trace.some(({ from, kind }) => from === party && kind === "message");
  return (verdict === "fail" || verdict === "blocked") && spoke("suite") && !spoke("target");
}

/** Opens a connection, with a second attempt: a target that started once should start again. */
async function reach(one: Case | undefined, setting: CaseSetting): Promise<Connection | TargetError> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await untilOver(setting.connect(one), setting.over);
    } catch (error) {
      if (error instanceof CaseEnd) return new TargetError(error.message);
      if (!(error instanceof TargetError)) throw error;
      if (attempt === 2) return error;
    }
  }
}
