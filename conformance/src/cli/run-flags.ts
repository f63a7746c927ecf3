import { type Command, Option } from "commander";
import type { BehaviorMode } from "../core/run/behaviors.js";
import { bases, type Basis } from "../core/registry/requirement.js";
import type { DocumentOptions } from "../report/document.js";
import { reportFormats } from "../report/files.js";
import { positiveNumber, wholeNumber } from "./numbers.js";
import { behaviorsOption, framingOption, overOption, timeScaleOption, type TargetFlags } from "./target.js";

/** The options of `run`. */
export interface Flags extends TargetFlags {
  behaviors: BehaviorMode;
  profile?: string;
  filter?: string[];
  skip?: string[];
  req?: string[];
  faults?: string[];
  framing?: "line" | "header";
  seed?: number;
  jobs?: number;
  timeScale: number;
  limit?: number;
  baseline?: string;
  writeBaseline?: string;
  redact?: string[];
  traceDir?: string;
  strict?: boolean;
  basis?: Basis[];
  bail?: number;
  report?: string[];
  traces?: DocumentOptions["traces"];
  proven?: string;
  verbose?: boolean;
}

const fromOne = (text: string): number => wholeNumber(text, { from: 1 });

/** Adds every option of `run` to a command. */
export function addRunFlags(command: Command): Command {
  return addReportFlags(addSelectionFlags(addTargetFlags(command)));
}

/** The options that reach and steer the target. */
function addTargetFlags(command: Command): Command {
  return command
    .option("--role <role>", "the role of the implementation, such as agent")
    .option("--url <url>", "an implementation that listens on HTTP or WebSocket, instead of a command")
    .option("--unix <path>", "an implementation that listens on a Unix socket, instead of a command")
    .option("--cwd <folder>", "working directory of the command")
    .option("--env <variables...>", "environment variables of the command, as NAME=value")
    .option("--steer", "the command is an adapter, which steers a client with lines of JSON on stdin and stdout")
    .addOption(overOption())
    .option(
      "--watch",
      "judges a client while you use it, until it exits; without a command, you start the client yourself",
    )
    .addOption(behaviorsOption())
    .option(
      "--target <recipe>",
      "starts the target with a scripted model, by a recipe: a name in targets/, such as coding-agent, or a JSON file",
    )
    .option(
      "--profile <name>",
      "the dialect to judge by, such as v1 for ACP; default: the one that the target speaks, or that of the " +
        "specification",
    );
}

/** The options that select the cases and how they run. */
function addSelectionFlags(command: Command): Command {
  return command
    .option("--filter <patterns...>", "cases to run; * matches any text")
    .option("--skip <patterns...>", "cases to skip; * matches any text")
    .option("--req <patterns...>", "runs only cases that judge these requirements")
    .option(
      "--faults <names...>",
      "disturbs the bytes of every case, such as split:1; smoke or all: repeats these cases over disturbed " +
        "byte streams",
    )
    .addOption(framingOption())
    .option("--seed <number>", "seed of an earlier run, to repeat it", (text) => wholeNumber(text))
    .option(
      "--jobs <number>",
      "number of cases that run at the same time; default: 2, and 8 for a slow target",
      fromOne,
    )
    .option(
      "--limit <seconds>",
      "ends the run after this time, in which the most important cases come first; default: 900",
      positiveNumber,
    )
    .addOption(timeScaleOption());
}

/** The options for baselines, traces, the outcome and reports. */
function addReportFlags(command: Command): Command {
  return command
    .option("--verbose", "shows every case that did not pass, instead of what decided the outcome")
    .option(
      "--baseline <file>",
      "known failures; the run fails on any other failure, and on a known one that no longer occurs",
    )
    .option(
      "--write-baseline <file>",
      "adds the failures of this run to a baseline, whose comments ask for reasons; exit code 0 if it was written",
    )
    .option("--redact <variables...>", "removes the values of these variables from all reports, traces and messages")
    .option("--trace-dir <folder>", "writes the bytes and messages of each case to a file")
    .option("--strict", "fails the run if a should is violated, too")
    .addOption(
      new Option(
        "--basis <names...>",
        "the requirements that decide the outcome: stated by the specification, inferred from it, or interop",
      )
        .choices(bases)
        .default(["stated"]),
    )
    .option("--bail <number>", "stops after this number of failed cases", fromOne)
    .option(
      "--report <format=file...>",
      `writes reports (${reportFormats.join(", ")}), separated by commas; the file - is stdout`,
    )
    .addOption(
      new Option(
        "--traces <which>",
        "cases whose messages JSON and HTML reports include; default: all in HTML, failed in JSON",
      ).choices(["all", "failed", "none"]),
    )
    .option(
      "--proven <file>",
      "a kill matrix (written by mutants --json); reports mark the requirements that it proves",
    );
}
