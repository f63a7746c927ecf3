import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { bin } from "./programs.js";

const [command = "", ...rest] = bin;

/** A process of the command line, and what it writes. */
function start(...args: readonly string[]) {
  const child = spawn(command, [...rest, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].on("data", (chunk: Buffer) => (output[name] += chunk.toString()));
  return { child, output, ended: once(child, "close") as Promise<[number | null, NodeJS.Signals | null]> };
}

describe("a run that is ended from outside", () => {
  test.each(["SIGINT", "SIGTERM"] as const)(
    "reports what it has after %s",
    async (signal) => {
      const agent = [...bin, "reference", "acp", "--role", "agent"];
      const { child, output, ended } = start("run", "acp", "--role", "agent", "--", ...agent);
      await new Promise<void>((resolve) => {
        child.stderr.on("data", () => {
          if (/of \d+ cases/.test(output.stderr)) resolve();
        });
      });
      child.kill(signal);
      expect((await ended)[0]).toBe(130);
      expect(output.stdout).toMatch(/\d+ of \d+ cases ran/);
      expect(output.stdout).toContain("interrupted (exit 130)");
    },
    60_000,
  );
});

test("a reader that leaves early is not an error", async () => {
  const { child, output, ended } = start("list", "acp", "--role", "agent");
  child.stdout.once("data", () => child.stdout.destroy());
  expect(await ended).toEqual([0, null]);
  expect(output.stderr).toBe("");
});
