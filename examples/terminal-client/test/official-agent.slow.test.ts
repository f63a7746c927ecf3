import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { programs } from "./programs.js";
import { runProgram } from "./run-program.js";

/** The example agent of the official SDK, in the version that acpx brings along; later ones have no examples. */
const acpx = createRequire(import.meta.url).resolve("acpx/package.json");
const sdk = dirname(createRequire(acpx).resolve("@agentclientprotocol/sdk"));
const agent = [process.execPath, join(sdk, "examples/agent.js")];

function prompt(...options: string[]) {
  const program = runProgram([...programs.client, "--prompt", "Improve it", ...options, "--", ...agent]);
  onTestFinished(() => program.kill("SIGKILL"));
  return program;
}

it("drives the official SDK's example agent through a turn with a tool call and a permission", async () => {
  const program = prompt("--yes");
  expect(await program.ended).toBe(0);
  expect(program.output).toMatch(
    /I'll help you with that[^]*✓ read {6}Reading project files[^]*\? edit {6}Modifying critical configuration file/,
  );
  expect(program.output).toMatch(
    /└ Allow this change \(answered by --yes\)\n✓ edit[^]*Perfect![^]*done · 2 tool calls/,
  );
});

it("cancels a turn of the official SDK's example agent", async () => {
  const program = prompt();
  await program.shows("I'll help you with that");
  program.kill("SIGINT");
  expect(await program.ended).toBe(130);
  expect(program.output).toMatch(/cancelled · \d/);
});
