import { Command, InvalidArgumentError } from "commander";

/** The workloads of a run, and where its results are written. */
export interface Options {
  readonly workloads: readonly string[];
  readonly rounds: number;
  readonly scale: number;
  readonly slowMegabytes?: number | undefined;
  readonly only?: readonly string[] | undefined;
  readonly growth: boolean;
  readonly json?: string | undefined;
  readonly writeReadme: boolean;
  readonly profile?: string | undefined;
}

/** Reads the command line; prints the usage and exits for one that it does not understand. */
export function parseOptions(args: readonly string[], names: readonly string[]): Options {
  const command = new Command("bench")
    .argument("[workloads...]", "what to measure, by the beginning of its name; default: everything")
    .option("--rounds <n>", "interleaved rounds", positive, 5)
    .option("--scale <n>", "multiplies the amount of work", positive, 1)
    .option("--slow-megabytes <n>", "megabytes that the slow reader receives, at any scale", positive)
    .option("--only <contenders...>", "leaves the other contenders out")
    .option("--growth", "shows how the cost grows with the work, at n, 4n and 16n", false)
    .option("--json <file>", "writes the results there; default: a new file in bench/results")
    .option("--write-readme", "writes a short table into the root README", false)
    .option("--profile <folder>", "writes a CPU profile of every measured process")
    .addHelpText("after", `\nWorkloads: ${names.join(", ")}`)
    .parse([...args], { from: "user" });
  return { ...command.opts<Omit<Options, "workloads">>(), workloads: command.args };
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError("Expected a number above 0.");
  return value;
}
