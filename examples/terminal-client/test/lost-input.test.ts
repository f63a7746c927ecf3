import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { programs } from "./programs.js";
import { runProgram } from "./run-program.js";

const noisy = fileURLToPath(new URL("../../../packages/acp/test/fixtures/noisy-agent.mjs", import.meta.url));

/** Prints two turns, with an agent that writes `noise` before each text. */
async function twoTurns(noise: string, ...options: string[]): Promise<string> {
  const agent = [process.execPath, noisy, noise, "text"];
  const program = runProgram([...programs.client, "--yes", ...options, "--cwd", "/", "--", ...agent]);
  program.feed("one\ntwo\n");
  await program.ended;
  return program.output;
}

const count = (text: string, part: string): number => text.split(part).length - 1;

test("says once that it skips what an agent writes between its messages", async () => {
  const output = await twoTurns("log");
  expect(count(output, "\nthe answer\n")).toBe(2);
  expect(count(output, "! skipped text that is not a message: sent: {")).toBe(1);
  expect(output).toContain("(said once; --verbose shows all)");
});

test("says it each time with --verbose", async () => {
  expect(count(await twoTurns("log", "--verbose"), "skipped text that is not a message: sent: {")).toBe(2);
});

test("loses and says nothing when the noise is attached to a message", async () => {
  const output = await twoTurns("\u001b]0;ready\u0007");
  expect(count(output, "the answer")).toBe(2);
  expect(output).not.toContain("skipped");
});
