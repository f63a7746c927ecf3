import type { Case } from "./case.js";
import type { CaseResult, Check } from "../verdict/check.js";
import { Checks } from "../verdict/checks.js";
import type { Connection, Listener } from "../talk/connection.js";
import type { CaseSetting } from "./case-setting.js";
import type { CaseContext } from "./context.js";
import { CaseEnd, ExpectationError, HarnessError } from "../errors.js";
import { createContext } from "./create-context.js";
import type { Pool } from "./pool.js";
import { bindsIn } from "../registry/profile.js";
import { alarm } from "../talk/time.js";
import type { TraceEntry } from "../../trace/trace.js";
import { trimmed } from "../../trace/trim.js";
import { TargetError } from "../../wire/link.js";
import { type Verdict, worst } from "../verdict/verdict.js";

/** No case waits longer than this, whatever it waits for, which may be a start. */
const CASE_MS = 180_000;

/** The end of a case, before its checks are counted. */
interface Ending {
  /** The kind of a `CaseEnd`; `blocked` also after a failed wait. */
  readonly ended?: CaseEnd["verdict"] | undefined;
  readonly reason?: string | undefined;
  /** The target did not do what the case waited for, outside of what it judges. */
  readonly isCut?: boolean | undefined;
  /** A fault of the suite. */
  readonly problem?: string | undefined;
}

/**
 * Runs one case on a connection. Never rejects: every fault becomes a verdict. The case's own connection (`owned`) is
 * closed before the verdict, so that the target's behavior at the close counts. `pool` lends other connections.
 */
export async function runCase(
  one: Case,
  connection: Connection,
  setting: CaseSetting,
  { owned, pool }: { readonly owned: boolean; readonly pool: Pool },
): Promise<CaseResult> {
  const { trace, conversation } = connection;
  const start = performance.now();
  const from = conversation.isNew ? 0 : trace.entries.length;
  const checks = new Checks(setting.lookup, setting.profile.name);
  const problems: string[] = [];
  const listener: Listener = {
    judged: (monitor, req, condition, findings) => checks.judge("monitor", monitor.id, req, condition, findings),
    broken: (message) => void problems.push(message),
  };
  connection.attach(listener);
  const { context, asked, finish } = createContext(one, connection, checks, { ...setting, listener, pool });
  let signal: string | undefined;
  void connection.link.ended.then((end) => (signal = end.signal ?? undefined));
  let ready = from;
  const onReady = (): void => void (ready = trace.entries.length);
  const ending = await endOf(limited(one, play(one, context, setting, { owned, onReady }), setting));
  const { ended, reason, problem } = ending;
  connection.endedBy = signal; // before the suite itself ends the target
  if (problem !== undefined) problems.push(problem);
  await finish();
  if (owned) await connection.close();
  const hasBegun = setting.suite.steered === true || trace.entries.slice(ready).some(isSent);
  if (isTainted(connection, hasBegun ? ended : undefined) || isSpent(one, connection)) connection.tainted = true;
  const seen = trace.entries.slice(from);
  const [unreached] = [...asked].flatMap((behavior) => setting.behaviors.unreached?.(behavior, seen) ?? []);
  const excuse = unreached ?? setting.suite.excuse?.(seen, setting);
  if (excuse !== undefined) checks.block(one.id, excuse);
  accountFor(one, setting, checks, ending, excuse ?? reason ?? problems[0]);
  const all = checks.all();
  const why = problems[0] ?? reason;
  return {
    id: one.id,
    title: one.title,
    verdict: problems.length > 0 ? "harness-error" : verdictOf(all),
    ms: Math.round(performance.now() - start),
    checks: all,
    ...(why !== undefined && { reason: why }),
    trace: trimmed(trace.entries.slice(from)),
  };
}

const isSent = ({ from, kind }: TraceEntry): boolean => from === "suite" && (kind === "message" || kind === "bytes");

/** Plays a case. `onReady` is called before its own first step. */
async function play(
  one: Case,
  context: CaseContext,
  setting: CaseSetting,
  { owned, onReady }: { readonly owned: boolean; readonly onReady: () => void },
): Promise<void> {
  // This comes first, so that a case that cannot run opens no session.
  for (const behavior of context.plain ? [] : (one.needs ?? [])) context.say(behavior);
  // On a shared connection, a case must not depend on the cases before it.
  if (!owned && one.isolation !== "unopened") await ready(one, context);
  onReady();
  await one.run(setting.suite.context(context));
}

/** Ends a case that does not end by itself, and every case when the run is over. Rejects with a `CaseEnd`. */
async function limited(one: Case, played: Promise<void>, { startTime, over }: CaseSetting): Promise<void> {
  const ms = startTime.deadline(Math.max(CASE_MS, 4 * (one.deadline ?? 0)));
  let stop = (): void => {};
  const late = new Promise<never>((_resolve, reject) => {
    stop = alarm(ms, () => reject(new CaseEnd("blocked", `the case did not end in ${ms / 1000} s`)));
  });
  try {
    await Promise.race([played, late, over.cut]);
  } finally {
    stop();
  }
}

/** Waits until a case ends, and interprets what it threw. */
async function endOf(played: Promise<void>): Promise<Ending> {
  try {
    await played;
    return {};
  } catch (error) {
    if (error instanceof CaseEnd) return { ended: error.verdict, reason: error.message };
    if (error instanceof ExpectationError) {
      const { expected } = error.details;
      const waited = expected === undefined ? "" : ` (while waiting for ${expected})`;
      return { ended: "blocked", reason: `${error.message}${waited}`, isCut: true };
    }
    if (error instanceof TargetError) return { ended: "blocked", reason: error.message, isCut: true };
    if (error instanceof HarnessError) return { problem: error.message };
    return { problem: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Marks a connection in an unknown state, so that no other case uses it. */
function isTainted({ conversation, fatal }: Connection, ended: Ending["ended"]): boolean {
  return conversation.open.size > 0 || fatal.problem !== undefined || ended === "failed" || ended === "blocked";
}

/** Whether a case before the handshake has made one, perhaps in a wrong form that the target took. */
function isSpent({ isolation }: Case, { conversation }: Connection): boolean {
  if (isolation !== "unopened") return false;
  return conversation.handshake !== undefined || conversation.received.some(({ is }) => is.kind === "result");
}

/**
 * Makes the handshake. A case of the fault axis (`shares`) fails every requirement that it judges when the handshake
 * fails.
 */
async function ready(one: Case, context: CaseContext): Promise<void> {
  try {
    await context.handshake();
  } catch (error) {
    if (one.shares !== true || !(error instanceof ExpectationError) || error.miss === "invalid") throw error;
    for (const req of one.emits)
      context.check(req, false, {
        message: `no handshake over ${one.faults?.join(", ")}: ${error.message}`,
        ...error.details,
      });
    throw new CaseEnd("failed", error.message);
  }
}

/**
 * The worst verdict of the case's own checks and of the monitors' objections. A monitor without findings does not
 * replace the case's own checks.
 */
function verdictOf(checks: readonly Check[]): Verdict {
  const own = checks.some(({ source }) => source === "case");
  return (
    worst(
      checks
        .filter(({ source, verdict }) => !own || source === "case" || verdict !== "pass")
        .map(({ verdict }) => verdict),
    ) ?? "blocked"
  );
}

/** The result of a case that could not run. */
export function blockedCase(one: Case, setting: CaseSetting, reason: string): CaseResult {
  const { id, title } = one;
  const checks = new Checks(setting.lookup, setting.profile.name);
  for (const req of judgedBy(one, setting)) checks.add("case", id, req, "blocked", { message: reason });
  return { id, title, verdict: "blocked", ms: 0, checks: checks.all(), reason, trace: [] };
}

/** The requirements that the case declares and that apply to the profile. */
function judgedBy({ emits }: Case, { lookup, profile }: CaseSetting): string[] {
  return emits.filter((req) => bindsIn(lookup(req), profile.name));
}

/**
 * Adds a check for every requirement that the case declares and did not judge. A case that the target cut short when
 * all of them had passed has not seen its end, and nothing else would say so.
 */
function accountFor(
  one: Case,
  setting: CaseSetting,
  checks: Checks,
  { ended, isCut = false }: Ending,
  message = "the case ended without judging it",
): void {
  const reqs = judgedBy(one, setting);
  const wasGood = isCut && checks.passed(one.id) && reqs.every((req) => checks.has(one.id, req));
  for (const req of reqs) {
    if (checks.has(one.id, req) && !wasGood) continue;
    const verdict = ended === "not-applicable" ? "not-applicable" : "blocked";
    checks.add("case", one.id, req, verdict, { message });
  }
}
