import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { programs } from "./programs.js";
import { runProgram, type RunningProgram } from "./run-program.js";

function demo(options: readonly string[], env: Readonly<Record<string, string>> = {}): RunningProgram {
  const file = fileURLToPath(new URL("../src/demo.ts", import.meta.url));
  const command = [
    process.execPath,
    "--import",
    import.meta.resolve("tsx"),
    "--conditions=@editwire/source",
    file,
    ...options,
  ];
  return runProgram(command, { OPENAI_BASE_URL: "", OPENAI_API_KEY: "", ...env });
}

function fixtureAgent(): string {
  return programs.agent.map((word) => `'${word}'`).join(" ");
}

describe.concurrent("the demo", () => {
  test("has the sample's failing test repaired by the coding agent, and shows what changed", async () => {
    const program = demo(["--keep"]);
    expect(await program.ended, program.output).toBe(0);
    const { output } = program;
    expect(output).toMatch(
      /^The sample project's tests, before\n✗ .*\n.*\n {2}1 of \d+ tests fails\n\nThe agent's turn\n/,
    );
    expect(output).toContain("(the demo answers, as there is no terminal to ask at)");
    expect(output).toMatch(
      /\n\nWhat changed on disk\nsrc\/\S+ {2}\+1 −1\n {2}│ @@ [^]*\n\nThe tests, after\n✓ \d+ tests pass\n\nTook \d/,
    );
    const copy = /The copy is kept in (.*)\n$/.exec(output)?.[1] ?? "";
    expect(await readFile(join(copy, "package.json"), "utf8")).toContain("guest-rooms");
    await rm(dirname(copy), { recursive: true });
  });

  test("says so when another agent leaves the tests as they were: 1", async () => {
    const program = demo(["--yes", "--agent", fixtureAgent()]);
    expect(await program.ended, program.output).toBe(1);
    expect(program.output).toContain("fixture  1.2.3");
    expect(program.output).toContain("\n\nWhat changed on disk\nnothing\n\nThe tests, after\n✗ ");
  });

  test("leaves nothing behind when it is interrupted: 130", async () => {
    const program = demo(["--agent", fixtureAgent()], { FIXTURE: "stalls" });
    await program.shows("I will not stop.\n");
    const copy = /^In (.*)\. I will not stop\.$/m.exec(program.output)?.[1] ?? "";
    expect(existsSync(copy)).toBe(true);
    program.kill("SIGINT");
    await program.shows("cancelling …");
    program.kill("SIGINT");
    expect(await program.ended, program.output).toBe(130);
    expect(existsSync(copy)).toBe(false);
  });
});
