import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Command, Option } from "commander";
import { readBaseline, readEntries } from "../core/baseline.js";
import type { BehaviorMode } from "../core/behaviors.js";
import { UsageError } from "../core/errors.js";
import { faultAxes } from "../core/fault-axis.js";
import { redacted, redactedText } from "../core/redact.js";
import type { RunReport } from "../core/report.js";
import { runConformance } from "../core/run.js";
import { writeBaseline } from "../core/write-baseline.js";
import { findProtocol } from "../protocols/all.js";
import type { DocumentOptions } from "../report/document.js";
import { parseReports, reportFormats } from "../report/files.js";
import { modelProvider } from "../targets/model-target.js";
import { positiveNumber, wholeNumber } from "./numbers.js";
import { reportRun } from "./output.js";
import { progressLine } from "./progress.js";
import { provenBy } from "./proven.js";
import { secretsOf } from "./secrets.js";
import { behaviorsOption, framingOption, overOption, recipeOf, type TargetFlags, targetOf } from "./target.js";
import { writeTraces } from "./traces.js";

interface Flags extends TargetFlags {
  behaviors: BehaviorMode;
  profile?: string;
  filter?: string[];
  skip?: string[];
  req?: string[];
  faults?: string[];
  framing?: "line" | "header";
  seed?: number;
  jobs: number;
  timeScale: number;
  baseline?: string;
  writeBaseline?: string;
  redact?: string[];
  traceDir?: string;
  strict?: boolean;
  bail?: number;
  report?: string[];
  traces?: DocumentOptions["traces"];
  proven?: string;
}

const fromOne = (text: string): number => wholeNumber(text, { from: 1 });

/** `run <protocol> --role <role> -- <command…>` */
export function runCommand(exit: (code: number) => void): Command {
  return new Command("run")
    .description("runs the suite against an implementation")
    .argument("<protocol>", "such as acp")
    .argument("[command...]", "the command to start, behind --")
    .requiredOption("--role <role>", "the role of the implementation, such as agent")
    .option("--url <url>", "an implementation that listens on HTTP or WebSocket, in place of a command")
    .option("--unix <path>", "an implementation that listens on a Unix socket, in place of a command")
    .option("--cwd <folder>", "where the command is started")
    .option("--env <variables...>", "environment of the command, as NAME=value")
    .option("--steer", "a client that is steered by lines of JSON on its stdin and stdout: an adapter")
    .addOption(overOption())
    .option("--watch", "only watches a client, until it ends; without a command, one that you start yourself")
    .addOption(behaviorsOption())
    .option(
      "--target <recipe>",
      "starts it with a scripted model behind it: a name in targets/, such as coding-agent, or a JSON file",
    )
    .option(
      "--profile <name>",
      "the dialect to judge by, where the protocol has several, such as v2026 for ECA; default: the specification's",
    )
    .option("--filter <patterns...>", "cases to run; * stands for any text")
    .option("--skip <patterns...>", "cases to leave out")
    .option("--req <patterns...>", "only cases that judge these requirements")
    .option(
      "--faults <names...>",
      "faults on the wire of every case, such as split:1; smoke or all: these cases run again over disturbed wires",
    )
    .addOption(framingOption())
    .option("--seed <number>", "repeats a run", (text) => wholeNumber(text))
    .option("--jobs <number>", "cases at the same time", fromOne, 2)
    .option("--time-scale <number>", "stretches all time", positiveNumber, 1)
    .option("--baseline <file>", "failures that are known")
    .option(
      "--write-baseline <file>",
      "adds what this run found to a baseline, to be given reasons; exit code 0 when it could be written",
    )
    .option("--redact <variables...>", "takes the values of these variables out of all reports, traces and messages")
    .option("--trace-dir <folder>", "writes what happened on the wire, a file for each case")
    .option("--strict", "a violated should fails the run")
    .option("--bail <number>", "stops after this number of failed cases", fromOne)
    .option(
      "--report <format=file...>",
      `writes reports: ${reportFormats.join(", ")}; several with commas; the file - is stdout`,
    )
    .addOption(
      new Option(
        "--traces <which>",
        "messages in JSON and HTML reports; default: all in HTML, those of failed cases in JSON",
      ).choices(["all", "failed", "none"]),
    )
    .option("--proven <file>", "a kill matrix (mutants --json): reports mark the requirements that it has proven")
    .action((protocol: string, command: string[], flags: Flags) => run(protocol, command, flags).then(exit));
}

async function run(name: string, command: readonly string[], flags: Flags): Promise<number> {
  const protocol = findProtocol(name);
  const {
    baseline: known,
    writeBaseline: wanted,
    req,
    report: reports = [],
    traces,
    traceDir,
    redact = [],
    proven: matrix,
    faults = [],
    ...rest
  } = flags;
  const before = wanted !== undefined && existsSync(wanted) ? wanted : undefined;
  if (known !== undefined && wanted !== undefined)
    throw new UsageError("name one baseline: --baseline to compare with, or --write-baseline to add to");
  const secrets = secretsOf(redact, flags.env ?? []);
  const files = parseReports(reports);
  const proven = provenBy(matrix);
  const faultAxis = faultAxes.find((axis) => faults.length === 1 && faults[0] === axis);
  const recipe = recipeOf(flags);
  const interrupt = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupt.abort());
  const progress = progressLine(process.stderr);
  const found = await runConformance({
    ...rest,
    protocol,
    target: targetOf(protocol, command, flags),
    ...(recipe !== undefined && { behaviors: modelProvider(recipe) }),
    requirements: req,
    ...(faultAxis === undefined ? { faults } : { faultAxis }),
    baseline: before !== undefined ? readEntries(before) : known === undefined ? undefined : readBaseline(known),
    signal: interrupt.signal,
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
    command: redactedText(againCommand(name, command, flags, report.run.seed), secrets),
  });
  return wanted === undefined ? report.exitCode : keepBaseline(report, wanted, before);
}

/** The command that repeats a run; the report adds a filter for a case before the `--`. */
function againCommand(
  name: string,
  command: readonly string[],
  { role, behaviors, profile, target, url, unix, steer, over = "stdio", framing, faults = [] }: Flags,
  seed: number,
): string {
  const words = [
    "npx @editwire/conformance run",
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
  if (steer === true) words.push("--steer");
  if (over !== "stdio") words.push("--over", over);
  if (framing !== undefined) words.push("--framing", framing);
  if (faults.length > 0) words.push("--faults", ...faults);
  const quoted = command.map((word) => (/[^\w@%+=:,./-]/.test(word) ? JSON.stringify(word) : word));
  return `${words.join(" ")} -- ${quoted.join(" ")}`;
}

/**
 * Writes a baseline with which this run would have passed, once its entries have reasons. Writes none when the run did
 * not finish.
 */
function keepBaseline(report: RunReport, file: string, before: string | undefined): number {
  if (["interrupted", "harness-error", "target-error"].includes(report.outcome)) {
    process.stderr.write(`no baseline was written: the run was a ${report.outcome}\n`);
    return report.exitCode;
  }
  const { text, failed, blocked } = writeBaseline(
    report,
    before === undefined ? undefined : readFileSync(before, "utf8"),
  );
  writeFileSync(file, text);
  process.stderr.write(
    `${file}: ${failed.length + blocked.length} new entries; give each of them a reason before you use it\n`,
  );
  if (blocked.length > 0)
    process.stderr.write(`${blocked.length} of them are blocked: the suite could not judge ${blocked.join(", ")}\n`);
  return 0;
}
