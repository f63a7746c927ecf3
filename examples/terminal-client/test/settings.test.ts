import { expect, test } from "vitest";
import { programs } from "./programs.js";
import { runProgram } from "./run-program.js";

/** The client's output for these lines, at an agent whose mode and model are settings. */
async function session(lines: readonly string[], ...options: string[]): Promise<string> {
  const command = [...programs.client, ...options, "--cwd", "/work", "--", ...programs.agent];
  const program = runProgram(command, { FIXTURE: "settings" });
  program.feed(lines.map((line) => `${line}\n`).join(""));
  expect(await program.ended).toBe(0);
  return program.output;
}

test("settings are listed with their values", async () => {
  const output = await session(["/set", "/set effort"]);
  expect(output).toMatch(/^fixture {2}1\.2\.3 {2}mode build {2}model small\n/);
  expect(output).toContain(
    [
      "agent = build  Agent; or plan",
      "model = small  Model; or large",
      "effort = low   Effort; or very high",
      "fast = off     Fast; or on",
    ].join("\n"),
  );
  expect(output).toContain("✓ low        Name of low\n  very high  Name of very high\n");
});

test("settings of the categories mode and model are modes and models", async () => {
  const output = await session(["/mode", "/mode plan", "/model large", "/model", "/mode warp"]);
  expect(output).toContain("✓ build  Name of build\n  plan   Name of plan\n");
  expect(output).toContain("› /mode plan\n\nmode plan\n");
  expect(output).toContain("› /model large\n\nmodel large\n");
  expect(output).toContain("  small  Name of small\n✓ large  Name of large\n");
  expect(output).toContain('✗ session/set_mode: the session does not offer the mode "warp"');
});

test("every setting can be changed", async () => {
  const output = await session(["/set effort very high", "/set fast on", "/set agent plan", "/set speed 1"]);
  expect(output).toContain("\n\neffort very high\n");
  expect(output).toContain("\n\nfast on\n");
  expect(output).toContain("\n\nmode plan\n");
  expect(output).toContain("this agent has no setting speed");
});

test("--mode and --set give them values before the first prompt", async () => {
  const output = await session(["/set"], "--mode", "plan", "--set", "model=large", "--set", "fast=on");
  expect(output).toMatch(/mode plan {2}model large\n/);
  expect(output).toContain("fast = on");
});
