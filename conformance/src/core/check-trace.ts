import { readTrace } from "../trace/file.js";
import type { Check } from "./check.js";
import { Checks } from "./checks.js";
import { HarnessError, UsageError } from "./errors.js";
import { exitCodeOf, type Outcome } from "./exit-code.js";
import { profileOf, roleOf } from "./find.js";
import { registryIn } from "./registry-in.js";
import { Inspector } from "./inspect.js";
import { lookupIn } from "./lookup.js";
import type { ConformanceProtocol } from "./protocol.js";

/** The monitors' judgment of a recorded session. */
export interface TraceReport {
  readonly checks: readonly Check[];
  readonly outcome: Outcome;
  readonly exitCode: number;
}

/**
 * Runs the monitors over a recorded session, given as NDJSON, in a profile (default: the protocol's first). A session
 * without a violation is `passed`, not `conformant`, because it does not cover every requirement. Without a message to
 * judge, it is `incomplete`. Throws a `UsageError` for text that is not a trace.
 */
export function checkTrace(protocol: ConformanceProtocol, role: string, text: string, wanted?: string): TraceReport {
  roleOf(protocol, role);
  const profile = profileOf(protocol, wanted);
  const checks = new Checks(lookupIn(registryIn(protocol.registry(), profile.name)), profile.name);
  const inspector = new Inspector(
    {
      classify: protocol.envelope.classify,
      monitors: protocol.monitors,
      role,
      transport: "trace",
      accept: profile.accept ?? protocol.accept,
    },
    {
      judged: (monitor, req, condition, findings) => checks.judge("monitor", monitor.id, req, condition, findings),
      fatal: () => {},
      broken(monitor, error) {
        throw new HarnessError(`monitor ${monitor.id}: ${error instanceof Error ? error.message : String(error)}`);
      },
    },
  );
  for (const entry of traceOf(text, role).entries) inspector.take(entry);
  inspector.end();
  const all = checks.all();
  const outcome =
    all.length === 0 ? "incomplete" : all.some(({ verdict }) => verdict === "fail") ? "violated" : "passed";
  return { checks: all, outcome, exitCode: exitCodeOf(outcome) };
}

function traceOf(text: string, role: string): ReturnType<typeof readTrace> {
  try {
    return readTrace(text, role);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
