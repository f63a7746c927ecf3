import { spawn } from "node:child_process";

/** A program that runs without a terminal. */
export interface RunningProgram {
  /** Everything on stdout so far. */
  readonly output: string;
  /** Writes all that there will be on stdin. */
  feed(text: string): void;
  /** Writes to stdin, and leaves it open. */
  type(text: string): void;
  /** Resolves once stdout contains the text `times` times; rejects when the program ends without that. */
  shows(text: string, times?: number): Promise<void>;
  /** Stops reading its output. */
  turnAway(): void;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the exit code once the program has ended. */
  readonly ended: Promise<number | null>;
}

/** Starts a command with pipes in place of a terminal. */
export function runProgram(
  [command = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): RunningProgram {
  const { FORCE_COLOR: _, ...inherited } = process.env;
  const child = spawn(command, args, { env: { ...inherited, NO_COLOR: "1", ...env } });
  const waiting = new Set<() => void>();
  let output = "";
  let over = false;
  const take = (text: string): void => {
    output += text;
    for (const check of waiting) check();
  };
  child.stdout.setEncoding("utf8").on("data", take);
  child.stderr.setEncoding("utf8").on("data", (text: string) => take(`[stderr] ${text}`));
  child.stdin.on("error", () => {});
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", (code) => {
      over = true;
      for (const check of waiting) check();
      resolve(code);
    });
  });
  return {
    get output() {
      return output;
    },
    feed: (text) => void child.stdin.end(text),
    type: (text) => void child.stdin.write(text),
    shows: (text, times = 1) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (output.split(text).length > times) resolve();
          else if (over) reject(new Error(`The program ended without ${JSON.stringify(text)}:\n${output}`));
          else return void waiting.add(check);
          waiting.delete(check);
        };
        check();
      }),
    turnAway: () => void child.stdout.destroy(),
    kill: (signal) => void child.kill(signal),
    ended,
  };
}
