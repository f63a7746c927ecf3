import { execFileSync } from "node:child_process";
import { runProgram, type RunningProgram } from "./run-program.js";

/** Whether `runAtTerminal` works here. */
export const canUseTerminal = process.platform === "linux" && /util-linux/.test(scriptVersion());

function scriptVersion(): string {
  try {
    return execFileSync("script", ["--version"], { encoding: "utf8" });
  } catch {
    return "";
  }
}

/** Starts a command at a terminal, that of util-linux' `script`. `typed` is a file for what is typed there. */
export function runAtTerminal(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
  typed = "/dev/null",
): RunningProgram {
  const quoted = ["env", "-u", "CI", ...command].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  const script = ["script", "--quiet", "--return", "--flush", "--log-in", typed, "--command", quoted];
  return runProgram(script, { TERM: "xterm", ...env });
}
