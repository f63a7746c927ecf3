import { writeFileSync } from "node:fs";
import { Command } from "commander";
import { readBaseline } from "../core/baseline.js";
import type { BehaviourMode } from "../core/behaviours.js";
import { UsageError } from "../core/errors.js";
import { lookupIn } from "../core/lookup.js";
import { runConformance } from "../core/run.js";
import { findProtocol } from "../protocols/registered.js";
import { jsonReport } from "../report/json.js";
import { terminalReport } from "../report/terminal.js";
import { stdioTarget } from "../wire/stdio.js";

interface Flags {
  role: string;
  behaviours: BehaviourMode;
  filter?: string[];
  skip?: string[];
  req?: string[];
  faults?: string[];
  framing: "line" | "header";
  seed?: number;
  jobs: number;
  timeScale: number;
  baseline?: string;
  strict?: boolean;
  bail?: number;
  json?: string;
}

const number = (text: string): number => {
  const value = Number(text);
  if (text.trim() === "" || Number.isNaN(value)) throw new UsageError(`expected a number, got "${text}"`);
  return value;
};

/** `run <protocol> --role <role> -- <command…>` */
export function runCommand(exit: (code: number) => void): Command {
  return new Command("run")
    .description("runs the suite against an implementation")
    .argument("<protocol>", "such as acp")
    .argument("[command...]", "the command to start, behind --")
    .requiredOption("--role <role>", "the role of the implementation, such as agent")
    .option("--behaviours <mode>", "how it is told what to do: commands, model, env or none", "none")
    .option("--filter <patterns...>", "cases to run; * stands for any text")
    .option("--skip <patterns...>", "cases to leave out")
    .option("--req <patterns...>", "only cases that judge these requirements")
    .option("--faults <names...>", "faults on the wire of every case, such as split:1")
    .option("--framing <framing>", "framing of what the suite sends: line or header", "line")
    .option("--seed <number>", "repeats a run", number)
    .option("--jobs <number>", "cases at the same time", number, 2)
    .option("--time-scale <number>", "stretches all time", number, 1)
    .option("--baseline <file>", "failures that are known")
    .option("--strict", "a violated should fails the run")
    .option("--bail <number>", "stops after so many failed cases", number)
    .option("--json <file>", "writes the JSON report; - is stdout, in place of the text")
    .action((protocol: string, command: string[], flags: Flags) => run(protocol, command, flags).then(exit));
}

async function run(name: string, command: readonly string[], flags: Flags): Promise<number> {
  const protocol = findProtocol(name);
  if (command.length === 0) throw new UsageError("nothing to run: give a command behind --");
  const { baseline, req, json, ...rest } = flags;
  const interrupt = new AbortController();
  process.once("SIGINT", () => interrupt.abort());
  const report = await runConformance({
    ...rest,
    protocol,
    target: stdioTarget({ argv: command }),
    requirements: req,
    baseline: baseline === undefined ? undefined : readBaseline(baseline),
    signal: interrupt.signal,
  });
  if (json !== undefined && json !== "-") writeFileSync(json, jsonReport(report));
  const again = `npx @editwire/conformance run ${name} --role ${flags.role} --behaviours ${flags.behaviours} --seed ${report.run.seed} -- ${command.join(" ")}`;
  process.stdout.write(json === "-" ? `${jsonReport(report)}\n` : terminalReport(report, { lookup: lookupIn(protocol.registry()), command: again }));
  return report.exitCode;
}
