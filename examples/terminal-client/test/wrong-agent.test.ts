import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { programs } from "./programs.js";
import { runProgram, type RunningProgram } from "./run-program.js";

function client(...command: string[]): RunningProgram {
  const program = runProgram([...programs.client, "--prompt", "hi", "--", ...command]);
  onTestFinished(() => program.kill("SIGKILL"));
  return program;
}

const node = (script: string, ...args: string[]): string[] => [process.execPath, "--eval", script, "--", ...args];

test("a program that speaks something else is reported at once, and its silence after five seconds", async () => {
  const program = client(...node('console.log("Welcome!"); process.stdin.resume()'));
  await program.shows('! node: what it wrote is not ACP: "Welcome!"; expected one JSON-RPC message in each line\n');
  await program.shows('! node has not answered initialize for 5 seconds; what it wrote is not ACP: "Welcome!"; it may');
  await program.shows(
    'need "--acp" or "acp" to speak ACP; if it speaks ECA, use `editwire bridge --from acp --to eca`\n',
  );
  program.kill("SIGINT");
  expect(await program.ended).toBe(130);
});

test("a program that ends without a failure is reported with the flag that it may need", async () => {
  const program = client(...node('console.error("usage: agent [options]")'));
  expect(await program.ended).toBe(1);
  expect(program.output).toBe(
    '✗ The agent is gone: node exited with code 0; it may need "--acp" or "acp" to speak ACP\n' +
      "  its stderr:\n  │ usage: agent [options]\n",
  );
});

test("a program that sends back what it receives is recognized", async () => {
  const program = client("cat");
  expect(await program.ended).toBe(1);
  expect(program.output).toMatch(/^✗ initialize: cat sends back what it receives; /);
});

test("a line in one word, and a file that is not executable, are reported with what to change", async () => {
  const folder = await mkdtemp(join(tmpdir(), "editwire-wrong-agent-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "agent.mjs");
  await writeFile(file, "#!/usr/bin/env node\n", { mode: 0o644 });
  const [line, script] = [client("node agent.js --acp"), client(file)];
  expect(await Promise.all([line.ended, script.ended])).toEqual([1, 1]);
  expect(line.output).toMatch(/: no such command; words are separate arguments: \["node","agent.js","--acp"\]\n$/);
  expect(script.output).toMatch(/: the permission to execute it is missing; chmod \+x "[^"]+" adds it\n$/);
});
