import { execFile } from "node:child_process";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { unifiedDiff } from "@editwire/example-coding-agent";
import { tasks } from "./tasks.js";

const sample = fileURLToPath(new URL("../project", import.meta.url));

/** Copies the sample project to a folder. */
export async function copyProject(folder: string): Promise<void> {
  await cp(sample, folder, { recursive: true });
}

/** The result of the project's tests. */
export function testProject(folder: string): Promise<{ readonly passed: number; readonly failed: number }> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, ["--test", "--test-reporter=tap"], { cwd: folder, env }, (_error, output) => {
      const count = (what: string): number => Number(new RegExp(`^# ${what} (\\d+)$`, "m").exec(output)?.[1] ?? 0);
      resolve({ passed: count("pass"), failed: count("fail") });
    });
  });
}

/** The lines of the project that have changed. */
export async function changesIn(folder: string): Promise<string[]> {
  const diffs = tasks.map(async ({ file }) => {
    const [before, after] = await Promise.all([sample, folder].map((place) => readFile(join(place, file), "utf8")));
    const diff = unifiedDiff(file, before ?? "", after ?? "");
    return [file, ...diff.split("\n").filter((line) => /^[+-] /.test(line))];
  });
  return (await Promise.all(diffs)).flat();
}
