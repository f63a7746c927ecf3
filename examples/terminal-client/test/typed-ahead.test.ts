import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFailed, onTestFinished, test, vi } from "vitest";
import { programs } from "./programs.js";
import { canUseTerminal, runAtTerminal } from "./run-at-terminal.js";

test.runIf(canUseTerminal)("what is typed while the agent starts is not lost", async () => {
  const folder = mkdtempSync(join(tmpdir(), "terminal-client-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const gate = join(folder, "gate");
  execFileSync("mkfifo", [gate]);
  const typed = join(folder, "typed");
  const command = [...programs.client, "--cwd", "/work", "--", ...programs.agent];
  const program = runAtTerminal(command, { FIXTURE_GATE: gate }, typed);
  onTestFinished(() => program.kill("SIGKILL"));
  onTestFailed(() => console.error(`The terminal showed: ${JSON.stringify(program.output)}`));

  await program.shows("starting");
  program.type("hellp\u007fo\rsecond line\r/qu");
  program.type("\u001b[A");
  // Keys that the terminal receives later are typed at the prompt.
  await vi.waitFor(() => expect(readFileSync(typed, "utf8")).toContain("\u001b[A"), 10_000);
  writeFileSync(gate, "");
  await program.shows("You said: hello");
  await program.shows("You said: second line");
  await program.shows("/qu"); // keys of a turn are dropped
  program.type("it\r");
  expect(await program.ended).toBe(0);
});
