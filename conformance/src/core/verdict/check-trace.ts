import type { Check } from "./check.js";
import { Checks } from "./checks.js";
import { HarnessError, UsageError } from "../errors.js";
import { exitCodeOf, type Outcome } from "./exit-code.js";
import { profileOf, roleOf } from "../talk/find.js";
import { lookupIn, registryIn } from "../registry/select-in.js";
import { Inspector } from "../talk/inspect.js";
import type { ConformanceProtocol, FoundDialect } from "../protocol.js";
import { type Recording, readRecording } from "../recording.js";

/** The monitors' judgment of a recorded session. */
export interface TraceReport {
  /** The dialect that it was judged by. */
  readonly profile: string;
  /** Why it was judged by this dialect, if none was wanted and the target showed one. */
  readonly dialect?: FoundDialect | undefined;
  readonly checks: readonly Check[];
  /** The lines that nobody can be judged by, with the reason. */
  readonly skipped: Recording["skipped"];
  readonly outcome: Outcome;
  readonly exitCode: number;
}

/**
 * Runs the monitors over a recorded session, given as NDJSON. A line is an entry of a trace file such as
 * `{from, message}`, the arguments of one call of `onWire` such as `{direction, message}`, or a message alone, as acpx
 * prints it. A message alone is judged if its method or its id shows the sender. Without a wanted profile, the session
 * is judged by the dialect that the target is found to speak, or by the protocol's first.
 *
 * A session without a violation is `passed`, not `conformant`, because it does not cover every requirement. Without a
 * message to judge, it is `incomplete`. Throws a `UsageError` for text that is not a trace.
 */
export function checkTrace(protocol: ConformanceProtocol, role: string, text: string, wanted?: string): TraceReport {
  const { recordedDialect } = roleOf(protocol, role);
  const { trace, skipped } = recordingOf(text, protocol, role);
  const sent = trace.entries.flatMap((entry) =>
    entry.kind === "message" && entry.from === "target" ? [protocol.envelope.classify(entry.message)] : [],
  );
  const dialect = wanted === undefined ? recordedDialect?.(sent) : undefined;
  const profile = profileOf(protocol, wanted ?? dialect?.profile);
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
  for (const entry of trace.entries) inspector.take(entry);
  inspector.end();
  const all = checks.all();
  const outcome =
    all.length === 0 ? "incomplete" : all.some(({ verdict }) => verdict === "fail") ? "violated" : "passed";
  return {
    profile: profile.name,
    ...(dialect !== undefined && { dialect }),
    checks: all,
    skipped,
    outcome,
    exitCode: exitCodeOf(outcome),
  };
}

function recordingOf(...recorded: Parameters<typeof readRecording>): Recording {
  try {
    return readRecording(...recorded);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
