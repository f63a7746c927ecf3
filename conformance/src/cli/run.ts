import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Command } from "commander";
import { readBaseline } from "../core/verdict/baseline.js";
import { UsageError } from "../core/errors.js";
import { findDialect } from "../core/run/find-dialect.js";
import type { ConformanceProtocol } from "../core/protocol.js";
import { faultAxes } from "../core/run/fault-axis.js";
import { redacted, redactedText } from "../core/verdict/redact.js";
import type { CaseResult } from "../core/verdict/check.js";
import type { RunReport } from "../core/verdict/report.js";
import { runConformance } from "../core/run/run.js";
import { writeBaseline } from "../core/verdict/write-baseline.js";
import { findProtocol, protocols } from "../protocols/all.js";
import { testStatus } from "../report/counts.js";
import { parseReports } from "../report/files.js";
import type { Target } from "../wire/link.js";
import { modelProvider } from "../targets/model-target.js";
import { reportRun } from "./output.js";
import { dialectLine } from "./dialect-line.js";
import { progressLine } from "./progress.js";
import { provenBy } from "./proven.js";
import { secretsOf } from "./secrets.js";
import { addRunFlags, type Flags } from "./run-flags.js";
import { quoted, selfCommand } from "./self.js";
import { recipeOf, targetOf } from "./target.js";
import { writeTraces } from "./traces.js";

/** How many names a line has. */
const SHOWN = 3;

/** `run <protocol> --role <role> -- <command…>` */
export function runCommand(exit: (code: number) => void): Command {
  const command = new Command("run")
    .description("runs the suite against an implementation")
    .argument("[protocol]", "the protocol, such as acp")
    .argument("[command...]", "the command to start, after --");
  return addRunFlags(command).action((protocol: string | undefined, words: string[], flags: Partial<Flags>) => {
    const { role } = flags;
    if (protocol === undefined || role === undefined) throw new UsageError(choices(protocol));
    return run(protocol, words, { ...(flags as Flags), role }).then(exit);
  });
}

/** Lists the possible names for a missing protocol or role. Throws a `UsageError` for an unknown protocol. */
function choices(name: string | undefined): string {
  const offered = name === undefined ? protocols : [findProtocol(name)];
  const lines = offered.map(({ name: protocol, title, roles }) => {
    const flags = Object.keys(roles).map((role) => `--role ${role}`);
    return `  run ${protocol} ${flags.join(" | ")}   ${title}`;
  });
  return [`name ${name === undefined ? "a protocol and a role" : "a role"}, such as`, ...lines].join("\n");
}

/** How long a target is waited for that was silent when it was asked for its dialect. */
const SECOND_START_MS = 10_000;

/** The profile to judge by: the one that was named, or that of the dialect which the target is found to speak. */
async function profileFor(
  protocol: ConformanceProtocol,
  target: Target,
  flags: Flags,
  signal: AbortSignal,
): Promise<{ readonly profile?: string | undefined; readonly startMs?: number | undefined }> {
  // A client that is watched is started once, by somebody else.
  if (flags.profile !== undefined || flags.watch === true) return { profile: flags.profile };
  let startMs: number | undefined;
  const onSilent = (): void => {
    process.stderr.write("dialect: unknown, the target said nothing; starting it once more\n");
    startMs = SECOND_START_MS;
  };
  const found = await findDialect({ protocol, role: flags.role, target, signal, onSilent });
  if (found === undefined) return { startMs };
  process.stderr.write(dialectLine(protocol, found));
  return { profile: found.profile };
}

/** The options of a run that the flags give alone. */
function optionsOf({ role, framing, filter, skip, req, faults = [], seed, jobs, timeScale, limit, ...rest }: Flags) {
  const faultAxis = faultAxes.find((axis) => faults.length === 1 && faults[0] === axis);
  const { behaviors, watch, strict, basis, bail } = rest;
  return {
    ...{ role, framing, filter, skip, seed, jobs, timeScale, behaviors, watch, strict, basis, bail },
    requirements: req,
    ...(faultAxis === undefined ? { faults } : { faultAxis }),
    ...(limit !== undefined && { limitMs: limit * 1_000 }),
  };
}

/** Judges a target as the flags say, and reports it. Resolves with the exit code. */
export async function run(name: string, command: readonly string[], given: Flags): Promise<number> {
  const protocol = findProtocol(name);
  const target = targetOf(protocol, command, given);
  const {
    baseline: known,
    writeBaseline: wanted,
    report: reports = [],
    traces,
    traceDir,
    redact = [],
    verbose,
  } = given;
  const before = wanted !== undefined && existsSync(wanted) ? wanted : undefined;
  if (known !== undefined && wanted !== undefined)
    throw new UsageError("expected only one of --baseline (to compare with) and --write-baseline (to add to)");
  const secrets = secretsOf(redact, given.env ?? []);
  const files = parseReports(reports);
  const proven = provenBy(given.proven);
  const recipe = recipeOf(given);
  const baseline = before ?? known;
  const interrupt = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => interruptBy(signal, interrupt));
  // Faults of the options are reported before the target is reached.
  const { profile, startMs } = await profileFor(protocol, target, given, interrupt.signal);
  const judged = profile === undefined ? given : { ...given, profile };
  const progress = progressLine(process.stderr, failing(given));
  const found = await runConformance({
    ...optionsOf(given),
    ...(profile !== undefined && { profile }),
    protocol,
    target,
    ...(recipe !== undefined && { behaviors: modelProvider(recipe) }),
    baseline: baseline === undefined ? undefined : readBaseline(baseline),
    signal: interrupt.signal,
    ...(startMs !== undefined && { startMs }),
    onEvent: progress.onEvent,
  });
  progress.done();
  const report = redacted(found, secrets);
  if (traceDir !== undefined) writeTraces(report, traceDir);
  reportRun(report, {
    protocol,
    files,
    traces,
    proven,
    verbose,
    command: redactedText(againCommand(name, command, judged, report.run.seed), secrets),
  });
  const code = wanted === undefined ? report.exitCode : keepBaseline(report, wanted, before);
  // A socket that is still closing must not keep an interrupted run waiting.
  if (interrupt.signal.aborted) setTimeout(() => process.exit(code), LAST_MS).unref();
  return code;
}

/** Says which cases count as failed. */
const failing =
  ({ basis = ["stated"], strict = false }: Flags) =>
  (result: CaseResult): boolean =>
    testStatus(result, { run: { basis, strict } }) === "failed";

/** Milliseconds that the process of an interrupted run may use after its report. */
const LAST_MS = 200;

/** A starter such as npm passes on a signal that the terminal has sent to this program, too. */
const SAME_SIGNAL_MS = 1_000;
let interruptedAt: number | undefined;

/** Ends the run with a report. Asked again later, ends the program at once. */
function interruptBy(signal: NodeJS.Signals, run: AbortController): void {
  if (interruptedAt !== undefined && performance.now() - interruptedAt > SAME_SIGNAL_MS) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
  interruptedAt ??= performance.now();
  run.abort();
}

/** The command that repeats a run; the report adds a filter for a case before the `--`. */
function againCommand(name: string, command: readonly string[], flags: Flags, seed: number): string {
  const {
    role,
    behaviors,
    profile,
    target,
    url,
    unix,
    cwd,
    steer,
    watch,
    over = "stdio",
    framing,
    faults = [],
  } = flags;
  const words = [
    selfCommand(),
    "run",
    name,
    "--role",
    role,
    ...(target === undefined ? ["--behaviors", behaviors] : []),
    "--seed",
    String(seed),
  ];
  if (profile !== undefined) words.push("--profile", profile);
  if (target !== undefined) words.push("--target", target);
  if (url !== undefined) words.push("--url", url);
  if (unix !== undefined) words.push("--unix", unix);
  if (cwd !== undefined) words.push("--cwd", quoted(cwd));
  if (watch === true) words.push("--watch");
  if (steer === true) words.push("--steer");
  if (over !== "stdio") words.push("--over", over);
  if (framing !== undefined) words.push("--framing", framing);
  if (faults.length > 0) words.push("--faults", ...faults);
  if (command.length === 0) return words.join(" ");
  return `${words.join(" ")} -- ${command.map(quoted).join(" ")}`;
}

/** Writes a baseline with which this run would have passed. Writes none if the run did not finish. */
function keepBaseline(report: RunReport, file: string, before: string | undefined): number {
  if (["interrupted", "harness-error", "target-error"].includes(report.outcome)) {
    process.stderr.write(`no baseline was written: the run was a ${report.outcome}\n`);
    return report.exitCode;
  }
  const { text, failed, blocked, causes } = writeBaseline(
    report,
    before === undefined ? undefined : readFileSync(before, "utf8"),
  );
  writeFileSync(file, text);
  process.stderr.write(`${file}: ${news(causes, failed.length + blocked.length)}\n`);
  if (blocked.length > 0)
    process.stderr.write(`${blocked.length} of them are blocked, because the suite could not judge ${some(blocked)}\n`);
  return 0;
}

function news(causes: number, checks: number): string {
  if (causes === 0) return "no new entry";
  const of = `for ${checks} check${checks === 1 ? "" : "s"}`;
  return causes === 1
    ? `1 new entry ${of}; a comment asks for its reason`
    : `${causes} new entries ${of}; comments ask for their reasons`;
}

/** The first of many names, and how many more there are. */
function some(names: readonly string[]): string {
  const more = names.length - SHOWN;
  return more > 0 ? `${names.slice(0, SHOWN).join(", ")} and ${more} more` : names.join(", ");
}
