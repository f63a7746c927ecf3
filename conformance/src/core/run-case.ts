import type { Case } from "./case.js";
import type { Check } from "./check.js";
import { Checks } from "./checks.js";
import type { Connection } from "./connection.js";
import type { CaseSetting } from "./case-setting.js";
import type { CaseContext } from "./context.js";
import { CaseEnd, ExpectationError, HarnessError } from "./errors.js";
import { createContext } from "./create-context.js";
import { bindsIn } from "./profile.js";
import type { CaseResult } from "./report.js";
import { trimmed } from "../trace/trim.js";
import { type Verdict, worst } from "./verdict.js";

/**
 * Runs one case on a connection. Never rejects: what goes wrong is its verdict. A connection of its own (`owned`) is closed
 * before the verdict, so that what the target does at its end counts.
 */
export async function runCase(
  one: Case,
  connection: Connection,
  setting: CaseSetting,
  owned: boolean,
): Promise<CaseResult> {
  const start = performance.now();
  const from =
    connection.trace.entries.length === 0 || connection.conversation.handshake === undefined
      ? 0
      : connection.trace.entries.length;
  const checks = new Checks(setting.lookup, setting.profile.name);
  const problems: string[] = [];
  const listener = {
    judged: (monitor: { id: string }, req: string, condition: boolean, findings: object) =>
      checks.judge("monitor", monitor.id, req, condition, findings),
    broken: (message: string) => void problems.push(message),
  };
  connection.attach(listener);
  const { context, finish } = createContext(one, connection, checks, setting, listener);
  let reason: string | undefined;
  let ended: CaseEnd["verdict"] | undefined;
  try {
    // Asked first, so that a case which cannot be run does not open a session for nothing.
    for (const behavior of one.needs ?? []) context.say(behavior);
    // Without a connection of its own, a case must not depend on who had this one before.
    if (!owned) await ready(one, context);
    await one.run(setting.suite.context(context));
  } catch (error) {
    if (error instanceof CaseEnd) {
      ended = error.verdict;
      reason = error.message;
    } else if (error instanceof ExpectationError) {
      ended = "blocked";
      reason = `${error.message}${error.details.expected === undefined ? "" : ` (while waiting for ${error.details.expected})`}`;
    } else {
      problems.push(
        error instanceof HarnessError
          ? error.message
          : error instanceof Error
            ? (error.stack ?? error.message)
            : String(error),
      );
    }
  }
  await finish();
  if (owned) await connection.close();
  if (
    connection.conversation.open.size > 0 ||
    connection.fatal.problem !== undefined ||
    ended === "failed" ||
    ended === "blocked"
  ) {
    connection.tainted = true;
  }
  accountFor(one, setting, checks, ended, reason, problems);
  const all = checks.all();
  const verdict = problems.length > 0 ? "harness-error" : verdictOf(all);
  const why = problems[0] ?? reason;
  return {
    id: one.id,
    title: one.title,
    verdict,
    ms: Math.round(performance.now() - start),
    checks: all,
    ...(why !== undefined && { reason: why }),
    trace: trimmed(connection.trace.entries.slice(from)),
  };
}

/** Makes the handshake. One that came off without a fault and does not over it fails every requirement that the case judges. */
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

/** The worst of the case's own checks and of what monitors had to object: that they were content does not answer what the case asks. */
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

/** A case that could not be run at all. */
export function blockedCase(one: Case, setting: CaseSetting, reason: string): CaseResult {
  const { id, title } = one;
  const checks = new Checks(setting.lookup, setting.profile.name);
  for (const req of judgedBy(one, setting)) checks.add("case", id, req, "blocked", { message: reason });
  return { id, title, verdict: "blocked", ms: 0, checks: checks.all(), reason, trace: [] };
}

/** What the case declares of what binds in the profile. */
function judgedBy({ emits }: Case, { lookup, profile }: CaseSetting): string[] {
  return emits.filter((req) => bindsIn(lookup(req), profile.name));
}

/** Every requirement that the case declares has a check, whatever happened. */
function accountFor(
  one: Case,
  setting: CaseSetting,
  checks: Checks,
  ended: CaseEnd["verdict"] | undefined,
  reason: string | undefined,
  problems: readonly string[],
): void {
  for (const req of judgedBy(one, setting)) {
    if (checks.has(one.id, req)) continue;
    const verdict = ended === "not-applicable" ? "not-applicable" : "blocked";
    checks.add("case", one.id, req, verdict, { message: reason ?? problems[0] ?? "the case ended without judging it" });
  }
}
