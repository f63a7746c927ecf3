import type { Case } from "./case.js";
import type { CaseSetting } from "./case-setting.js";
import type { Connection } from "../talk/connection.js";
import type { RunOptions } from "./options.js";
import { queueOf } from "./queue.js";
import { Pool } from "./pool.js";
import type { CaseResult } from "../verdict/check.js";
import { blockedCase, runCase } from "./run-case.js";
import type { Verdict } from "../verdict/verdict.js";
import { isFlood } from "../../trace/trace.js";
import { TargetError } from "../../wire/link.js";

/** After this number of consecutive cases without any message from the target, the target counts as hung. */
const SILENT_CASES = 4;
/** After this number of cases in which the target flooded a connection, no other one is started. */
const FLOODED_CASES = 3;

/** Cases that run at the same time, unless an option says otherwise. A target that is slow has time for more. */
const JOBS = 2;
const SLOW_JOBS = 8;

type AllOptions = Pick<RunOptions, "jobs" | "basis" | "bail" | "onEvent" | "framing">;

/** Runs the cases, `jobs` at a time; the results are in the order of the cases. */
export async function runAll(
  cases: readonly Case[],
  setting: CaseSetting,
  first: Connection | undefined,
  { jobs, basis = ["stated"], bail = Number.POSITIVE_INFINITY, onEvent = () => {} }: AllOptions,
): Promise<CaseResult[]> {
  const results = new Map<string, CaseResult>();
  const { over, known } = setting;
  const queue = queueOf(cases, setting, basis);
  const pool = new Pool(setting);
  if (first !== undefined) await pool.keep("session", first);
  let failed = 0;
  let silent = 0;
  let flooded = 0;
  const keep = (result: CaseResult): void => {
    // The time limit has cut it: it counts as one that did not run.
    if (over.late && result.reason === over.reason) return;
    results.set(result.id, result);
    onEvent({ type: "case", result });
    if (result.verdict === "fail" || result.verdict === "harness-error") failed += 1;
    if (isUnanswered(result)) silent += 1;
    else if (result.trace.length > 0) silent = 0;
    if (result.trace.some(isFlood)) flooded += 1;
  };
  const work = async (): Promise<void> => {
    for (;;) {
      const one = over.reason !== undefined || failed >= bail ? undefined : queue.next(over.isHalf());
      if (one === undefined) return;
      const why =
        silent >= SILENT_CASES
          ? "the target sent nothing in the last cases"
          : flooded >= FLOODED_CASES
            ? "the target flooded its connections in other cases"
            : refusalFor(one, setting);
      keep(why === undefined ? await runOn(one, setting, pool) : blockedCase(one, setting, why));
      if (jobs === undefined && known.isSlow) start(SLOW_JOBS);
    }
  };
  const working: Promise<void>[] = [];
  const start = (count: number): void => {
    while (working.length < Math.max(1, Math.min(count, cases.length))) working.push(work());
  };
  start(jobs ?? JOBS);
  // A slow target lets others start while these are awaited.
  for (let from = 0; from < working.length; ) {
    const batch = working.slice(from);
    from = working.length;
    await Promise.all(batch);
  }
  await pool.close();
  return cases.flatMap(({ id }) => results.get(id) ?? []);
}

/** Why a case cannot begin with the handshake that it needs. */
function refusalFor({ isolation = "session" }: Case, { refused }: CaseSetting): string | undefined {
  return isolation === "session" || isolation === "rough" ? refused : undefined;
}

/** Signals that come from outside of a program; a program that crashes gets others. */
const outside: readonly unknown[] = ["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"];

/** Runs a case on a connection of its lane, or on one of its own. */
async function runOn(one: Case, setting: CaseSetting, pool: Pool): Promise<CaseResult> {
  const lane = setting.laneOf(one);
  const endsIn = setting.endsIn(one);
  try {
    const connection = await (endsIn === undefined ? pool.take(lane, one) : pool.takeForGood(endsIn, one));
    const { used } = connection.conversation;
    // A target that acts by itself does so once, so the next case needs a new start.
    if (setting.suite.steered === true && connection.link.control === undefined) connection.tainted = true;
    const result = await runCase(one, connection, setting, { owned: lane === undefined, pool });
    await pool.give(lane, connection);
    if (isRight(result.verdict)) return result;
    // The traces of an earlier case must not count against the target, nor against the one that ended it. A fault that
    // occurs again does.
    const isLeft = used && (endsIn !== undefined || (lane !== undefined && isRough(one)));
    if (!isLeft && !outside.includes(connection.endedBy)) return result;
    const fresh = await pool.take(undefined, one);
    const again = await runCase(one, fresh, setting, { owned: true, pool });
    await pool.give(undefined, fresh);
    return again;
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    return blockedCase(one, setting, error.message);
  }
}

const isRough = ({ isolation }: Case): boolean => isolation === "rough" || isolation === "unopened";
const isRight = (verdict: Verdict): boolean => verdict === "pass" || verdict === "not-applicable";

/** True if the suite sent messages and received nothing, not even bytes that are not a message. */
function isUnanswered({ verdict, trace }: CaseResult): boolean {
  const spoke = (party: string, kinds: readonly string[]): boolean =>
    trace.some(({ from, kind }) => from === party && kinds.includes(kind));
  const heard = spoke("target", ["message", "malformed"]);
  return (verdict === "fail" || verdict === "blocked") && spoke("suite", ["message"]) && !heard;
}
