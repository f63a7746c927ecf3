import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command, Option } from "commander";
import type { BehaviorMode } from "../core/run/behaviors.js";
import { readRepro, writeRepro } from "../fuzz/repro.js";
import { type FuzzMode, fuzzModes, replaySteps, runFuzz } from "../fuzz/run-fuzz.js";
import { findProtocol } from "../protocols/all.js";
import { TargetError } from "../wire/link.js";
import { wholeNumber } from "./numbers.js";
import { selfCommand } from "./self.js";
import { behaviorsOption, framingOption, overOption, timeScaleOption, type TargetFlags, targetOf } from "./target.js";

interface Flags extends TargetFlags {
  behaviors: BehaviorMode;
  framing?: "line" | "header";
  seed?: number;
  runs: number;
  mode?: FuzzMode[];
  shrink: number;
  timeScale: number;
  out: string;
}

const whole = (text: string): number => wholeNumber(text);

/** `fuzz <protocol> --role <role> -- <command…>`: searches for failures that no case finds. */
export function fuzzCommand(exit: (code: number) => void): Command {
  return new Command("fuzz")
    .description(
      "sends mutated messages and random legal sessions; the monitors judge, and the target must keep working",
    )
    .argument("<protocol>")
    .argument("[command...]", "the command to start, after --")
    .requiredOption("--role <role>", "the role of the implementation, such as agent")
    .option("--url <url>", "an implementation that listens on HTTP or WebSocket, instead of a command")
    .option("--unix <path>", "an implementation that listens on a Unix socket, instead of a command")
    .option("--cwd <folder>", "working directory of the command")
    .option("--env <variables...>", "environment variables of the command, as NAME=value")
    .option(
      "--steer",
      "the command is an adapter, which steers a client with lines of JSON on stdin and stdout; required to fuzz " +
        "a client",
    )
    .addOption(overOption())
    .addOption(behaviorsOption())
    .addOption(new Option("--mode <modes...>", "what to send; default: both").choices(fuzzModes))
    .addOption(framingOption())
    .option("--seed <number>", "seed of an earlier run, to repeat it", whole)
    .option("--runs <number>", "number of runs of each mode", whole, 100)
    .option("--shrink <seconds>", "time for shortening a failure", whole, 60)
    .addOption(timeScaleOption())
    .option("--out <folder>", "folder for failures", "repro")
    .action((name: string, command: string[], flags: Flags) => fuzz(name, command, flags).then(exit));
}

async function fuzz(name: string, command: readonly string[], flags: Flags): Promise<number> {
  const protocol = findProtocol(name);
  const {
    role,
    behaviors,
    framing = protocol.framing ?? "line",
    steer,
    over,
    out,
    mode,
    runs,
    seed: wanted,
    shrink,
    timeScale,
  } = flags;
  const target = targetOf(protocol, command, flags);
  const report = await runFuzz({
    protocol,
    role,
    target,
    behaviors,
    framing,
    runs,
    modes: mode,
    seed: wanted,
    timeScale,
    shrinkMs: shrink * 1_000,
  });
  const { seed } = report;
  process.stdout.write(
    `seed ${seed}\n${Object.entries(report.runs)
      .map(([of, count]) => `${of}: ${count} runs\n`)
      .join("")}`,
  );
  if (report.error !== undefined) process.stderr.write(`error: ${report.error}\n`);
  const head = { protocol: name, role, behaviors, framing, seed, command: [...command] };
  for (const failure of report.failures) {
    mkdirSync(out, { recursive: true });
    const file = join(out, `${failure.id}.ndjson`);
    writeFileSync(file, writeRepro(failure, { ...head, ...(steer === true && { steer, over }) }));
    const steps = failure.steps.map((step) => `    ${JSON.stringify(step)}\n`).join("");
    process.stdout.write(
      `\nfail ${failure.mode}: ${failure.problem}\n${steps}  repeat: ${selfCommand()} replay ${file}\n`,
    );
  }
  process.stdout.write(`${report.outcome} (exit ${report.exitCode})\n`);
  return report.exitCode;
}

/** `replay <file>`: repeats the steps of a saved failure. */
export function replayCommand(exit: (code: number) => void): Command {
  return new Command("replay")
    .description("repeats a failure that fuzz saved; exit code 1 if it occurs again, 0 if not")
    .argument("<file>")
    .argument("[command...]", "a command to use instead of the recorded one, after --")
    .option("--url <url>")
    .option("--unix <path>")
    .option("--cwd <folder>")
    .option("--env <variables...>")
    .addOption(timeScaleOption())
    .action((file: string, command: string[], flags: Omit<Flags, "role">) => replay(file, command, flags).then(exit));
}

async function replay(file: string, command: readonly string[], flags: Omit<Flags, "role">): Promise<number> {
  const { head, steps } = readRepro(file);
  const protocol = findProtocol(head.protocol);
  const { role, behaviors, framing, seed } = head;
  const own = command.length > 0 || flags.url !== undefined || flags.unix !== undefined;
  const target = targetOf(protocol, own ? command : head.command, {
    ...flags,
    role,
    steer: head.steer,
    over: head.over,
  });
  try {
    const again = await replaySteps(
      { protocol, role, target, behaviors, framing, seed, timeScale: flags.timeScale },
      steps,
    );
    process.stdout.write(again === undefined ? `passed: ${head.problem} is gone\n` : `fail ${again.problem}\n`);
    return again === undefined ? 0 : 1;
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    return 4;
  }
}
