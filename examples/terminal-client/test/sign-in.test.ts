import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";
import { programs } from "./programs.js";
import { canUseTerminal, runAtTerminal } from "./run-at-terminal.js";
import { runProgram } from "./run-program.js";

const { agent } = await bundle(import.meta.url, { agent: "../../../packages/acp/test/fixtures/sign-in-agent.ts" });

/** The requests that the agent refuses until its user has signed in. */
const refusals = ["newSession", "prompt"] as const;
const envOf = (refuses: string) => ({ STORE: join(tmpdir(), `none-${process.pid}`), REFUSES: refuses });
const client = (...options: string[]): string[] => [
  ...programs.client,
  ...options,
  "--cwd",
  "/work",
  "--",
  process.execPath,
  agent,
];

async function turn(refuses: string, ...options: string[]): Promise<{ code: number | null; output: string }> {
  const program = runProgram(client("--prompt", "hi", ...options), envOf(refuses));
  const code = await program.ended;
  return { code, output: program.output };
}

test.each(refusals)("an agent that refuses %s is shown with the ways to sign in", async (refuses) => {
  const { code, output } = await turn(refuses);
  expect(code).toBe(1);
  expect(output.slice(output.indexOf("✗"))).toBe(
    [
      "✗ The agent answers with an error: authentication required (-32000)",
      "  sign in with --sign-in page  In the browser",
      "  sign in by setting FIXTURE_KEY  API key",
      "",
    ].join("\n"),
  );
});

test.runIf(canUseTerminal)("the user signs in by a key, and the refused prompt is sent again", async () => {
  const program = runAtTerminal(client(), envOf("prompt"));
  onTestFinished(() => program.kill("SIGKILL"));
  await program.shows("›");
  program.type("hi\r");
  await program.shows("! authentication required");
  await program.shows("1 Sign in: In the browser   n Not now   ctrl-c Quit");
  program.type("n");
  await program.shows("sign in by setting FIXTURE_KEY");
  program.type("hi\r");
  await program.shows("Not now", 3);
  program.type("1");
  await program.shows("signed in In the browser");
  await program.shows("page");
  await program.shows("done · ");
  program.type("/quit\r");
  expect(await program.ended).toBe(0);
});

test.runIf(canUseTerminal)("the user signs in by a key before the session starts", async () => {
  const program = runAtTerminal(client("--prompt", "hi"), envOf("newSession"));
  onTestFinished(() => program.kill("SIGKILL"));
  await program.shows("n Not now");
  program.type("1");
  await program.shows("done · ");
  expect(await program.ended).toBe(0);
});

test("--sign-in signs in before the session starts", async () => {
  const { code, output } = await turn("newSession", "--sign-in", "page");
  expect(output).toMatch(/^signed in In the browser\n/);
  expect(output.split("\n")).toContain("page");
  expect(code).toBe(0);
});

test("a way that the agent does not offer is refused", async () => {
  const { code, output } = await turn("newSession", "--sign-in", "pigeon");
  expect(output).toContain("the agent does not offer this way to sign in (-32602)");
  expect(code).toBe(1);
});
