import { setMaxListeners } from "node:events";
import { behaviorsBy, missingBehaviors } from "./behaviors.js";
import { calibrate, type Calibration } from "./calibrate.js";
import type { Case } from "./case.js";
import type { CaseSetting } from "./case-setting.js";
import { openConnection } from "../talk/connection.js";
import { lanesIn } from "./lane.js";
import { lookupIn, registryIn } from "../registry/select-in.js";
import { Known } from "./known.js";
import type { RunOptions } from "./options.js";
import { profileOf, roleOf } from "../talk/find.js";
import { makeReport } from "../verdict/make-report.js";
import { casesIn } from "../registry/profile.js";
import type { RoleSuite } from "../protocol.js";
import type { RunReport } from "../verdict/report.js";
import type { CaseResult } from "../verdict/check.js";
import { overBy } from "./over.js";
import { runAll } from "./run-all.js";
import { blockedCase } from "./run-case.js";
import { freshSeed } from "./seed.js";
import { selectCases } from "./select.js";
import { scaledTime, startTime } from "../talk/time.js";
import { UsageError } from "../errors.js";

const GRACE_MS = 2_000;
const LIMIT_MS = 900_000;

/**
 * Judges one implementation in one role. The promise does not reject because of the target's behavior, which the report
 * describes. Throws a `UsageError` for invalid options.
 */
export async function runConformance(options: RunOptions): Promise<RunReport> {
  const { protocol, role } = options;
  const suite = roleOf(protocol, role);
  const profile = profileOf(protocol, options.profile);
  const { target, framing = protocol.framing ?? "line", faults = [], timeScale = 1 } = options;
  const behaviors = behaviorsBy(options.behaviors);
  const registry = registryIn(protocol.registry(), profile.name);
  const all = casesIn(protocol.cases, registry, profile);
  const selected = options.watch === true ? [watchCase(suite)] : selectCases(all, options, target.transport);
  const cases = selected.filter((one) => missingBehaviors(one, behaviors).length === 0);
  const seed = options.seed ?? freshSeed();
  const graceMs = options.graceMs ?? GRACE_MS;
  const over = endOf(options);
  // A watched target is judged at the end of the run, and the run ends with it.
  const end = options.signal === undefined ? over.signal : AbortSignal.any([over.signal, options.signal]);
  // Every process and connection of the run listens to it.
  setMaxListeners(0, end);
  const connection = { protocol, profile, role, target, framing, faults, seed, graceMs, over: end };
  const known = new Known();
  const lanes = lanesIn({ transport: target.transport, framing });
  const setting: CaseSetting = {
    suite,
    lookup: lookupIn(registry),
    time: scaledTime(timeScale, options.quietScale, () => known.patience),
    startTime: startTime(timeScale),
    profile,
    behaviors,
    seed,
    known,
    over,
    framing,
    ...lanes,
    connect: (one, beside) =>
      openConnection({
        ...connection,
        framing: one?.framing ?? framing,
        faults: [...faults, ...(one?.faults ?? [])],
        env: one === undefined || lanes.laneOf(one) !== undefined ? {} : { CONFORMANCE_CASE: one.id },
        beside,
        onAnswer: known.stopwatch(),
        isNoise: (entry) => known.isNoise(entry),
      }),
  };
  const startedAt = new Date();
  const calibration = await calibrate(setting, options.startMs);
  const first = calibration.connection;
  if (first !== undefined && options.watch === true)
    options.signal?.addEventListener("abort", () => void first.close());
  else if (first?.link.control === undefined && first !== undefined && suite.steered === true) first.tainted = true;
  options.onEvent?.({ type: "start", cases: cases.length });
  const results = await resultsOf(
    cases,
    { ...setting, startMs: calibration.target.startMs, refused: calibration.refused },
    calibration,
    options,
  );
  over.done();
  if (calibration.result !== undefined) results.unshift(calibration.result);
  return makeReport({ protocol, setting, options, calibration, results, startedAt, target, cases, selected });
}

/** The end of what is watched is not the end of the run: it is judged then. */
function endOf({ watch: watched = false, signal, limitMs }: RunOptions): ReturnType<typeof overBy> {
  return overBy(watched ? undefined : signal, limitMs ?? (watched ? Number.POSITIVE_INFINITY : LIMIT_MS));
}

function watchCase({ watch, role }: RoleSuite): Case {
  if (watch === undefined)
    throw new UsageError(`a target in the role ${role} does not act by itself, so it cannot be watched`);
  return watch;
}

/** A target that cannot be reached, or does not complete the handshake, blocks every case. */
async function resultsOf(
  cases: readonly Case[],
  setting: CaseSetting,
  { missed, connection }: Calibration,
  options: RunOptions,
): Promise<CaseResult[]> {
  if (setting.over.reason !== undefined) return [];
  if (missed !== undefined) return cases.map((one) => blockedCase(one, setting, missed));
  return runAll(cases, setting, connection, options);
}
