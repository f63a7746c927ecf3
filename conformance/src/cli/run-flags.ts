import { type Command, Option } from "commander";
import type { BehaviorMode } from "../core/behaviors.js";
import { bases, type Basis } from "../core/requirement.js";
import type { DocumentOptions } from "../report/document.js";
import { reportFormats } from "../report/files.js";
import { positiveNumber, wholeNumber } from "./numbers.js";
import { behaviorsOption, framingOption, overOption, type TargetFlags } from "./target.js";

/** What the command line of `run` can say. */
export interface Flags extends TargetFlags {
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
  basis?: Basis[];
  bail?: number;
  report?: string[];
  traces?: DocumentOptions["traces"];
  proven?: string;
}

const fromOne = (text: string): number => wholeNumber(text, { from: 1 });

/** Adds every option of `run` to a command. */
export function addRunFlags(command: Command): Command {
  return addReportFlags(addSelectionFlags(addTargetFlags(command)));
}

/** How the target is reached, and how it is steered. */
function addTargetFlags(command: Command): Command {
  return command
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
    );
}

/** What is run, and how. */
function addSelectionFlags(command: Command): Command {
  return command
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
    .option("--time-scale <number>", "stretches all time", positiveNumber, 1);
}

/** What is known before the run, and what is written after it. */
function addReportFlags(command: Command): Command {
  return command
    .option("--baseline <file>", "failures that are known")
    .option(
      "--write-baseline <file>",
      "adds what this run found to a baseline, to be given reasons; exit code 0 when it could be written",
    )
    .option("--redact <variables...>", "takes the values of these variables out of all reports, traces and messages")
    .option("--trace-dir <folder>", "writes what happened on the wire, a file for each case")
    .option("--strict", "a violated should fails the run")
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
      `writes reports: ${reportFormats.join(", ")}; several with commas; the file - is stdout`,
    )
    .addOption(
      new Option(
        "--traces <which>",
        "messages in JSON and HTML reports; default: all in HTML, those of failed cases in JSON",
      ).choices(["all", "failed", "none"]),
    )
    .option("--proven <file>", "a kill matrix (mutants --json): reports mark the requirements that it has proven");
}
