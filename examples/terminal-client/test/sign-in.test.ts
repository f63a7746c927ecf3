import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";
import { programs } from "./programs.js";
import { runProgram } from "./run-program.js";

const { agent } = await bundle(import.meta.url, { agent: "../../../packages/acp/test/fixtures/sign-in-agent.ts" });

async function turn(...options: string[]): Promise<{ code: number | null; output: string }> {
  const env = { STORE: join(tmpdir(), `none-${process.pid}`) };
  const args = ["--prompt", "hi", ...options, "--cwd", "/work", "--", process.execPath, agent];
  const program = runProgram([...programs.client, ...args], env);
  const code = await program.ended;
  return { code, output: program.output };
}

test("an agent that requires its user to sign in is shown with the ways to do so", async () => {
  expect(await turn()).toEqual({
    code: 1,
    output: [
      "✗ The agent answers with an error: authentication required (-32000)",
      "  sign in with --sign-in page  In the browser",
      "  sign in by setting FIXTURE_KEY  API key",
      "",
    ].join("\n"),
  });
});

test("--sign-in signs in before the session starts", async () => {
  const { code, output } = await turn("--sign-in", "page");
  expect(output.split("\n")).toContain("page");
  expect(code).toBe(0);
});

test("a way that the agent does not offer is refused", async () => {
  const { code, output } = await turn("--sign-in", "pigeon");
  expect(output).toContain("the agent does not offer this way to sign in (-32602)");
  expect(code).toBe(1);
});
