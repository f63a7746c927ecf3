import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFailed, onTestFinished, test, vi } from "vitest";
import { programs } from "./programs.js";
import { runProgram } from "./run-program.js";

/** The `script` of util-linux gives a program a terminal. */
const canUseTerminal = process.platform === "linux" && /util-linux/.test(scriptVersion());

function scriptVersion(): string {
  try {
    return execFileSync("script", ["--version"], { encoding: "utf8" });
  } catch {
    return "";
  }
}

test.runIf(canUseTerminal)("what is typed while the agent starts is not lost", async () => {
  const folder = mkdtempSync(join(tmpdir(), "terminal-client-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const gate = join(folder, "gate");
  execFileSync("mkfifo", [gate]);
  const command = ["env", "-u", "CI", ...programs.client, "--cwd", "/work", "--", ...programs.agent];
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  const typed = join(folder, "typed");
  const script = ["script", "--quiet", "--return", "--flush", "--log-in", typed, "--command", quoted];
  const program = runProgram(script, { FIXTURE_GATE: gate, TERM: "xterm" });
  onTestFinished(() => program.kill("SIGKILL"));
  onTestFailed(() => console.error(`The terminal showed: ${JSON.stringify(program.output)}`));

  await program.shows("starting");
  program.type("hellp\u007fo\rsecond line\r/qu");
  program.type("\u001b[A");
  // What the terminal gets later is typed at the prompt.
  await vi.waitFor(() => expect(readFileSync(typed, "utf8")).toContain("\u001b[A"), 10_000);
  writeFileSync(gate, "");
  await program.shows("You said: hello");
  await program.shows("You said: second line");
  await program.shows("/qu"); // keys of a turn are dropped
  program.type("it\r");
  expect(await program.ended).toBe(0);
});
