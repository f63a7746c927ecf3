import { execFile, spawnSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { type Example, meetings, orders } from "../src/demo/examples.js";
import { copyOf } from "./programs.js";

const run = promisify(execFile);
const hasJava = spawnSync("javac", ["-version"]).status === 0;
if (!hasJava) console.warn("skipped without a JDK: the Java project of examples/sman");

/** Replaces the line with the defect, as the agent does. */
async function fix(folder: string, { file, fixed }: Example, defect: string): Promise<void> {
  const path = join(folder, file);
  const text = await readFile(path, "utf8");
  expect(text).toContain(defect);
  await writeFile(path, text.replace(defect, fixed));
}

it("the TypeScript project has one failing test, until its defect is fixed", async () => {
  const folder = await copyOf(meetings.projectKey);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const argv = ["--import", import.meta.resolve("tsx"), "--test", "--test-reporter=tap", "test/calendar.test.ts"];
  const test = async (): Promise<string> =>
    (await run(process.execPath, argv, { cwd: folder, env }).catch((error: { stdout: string }) => error)).stdout;
  expect(await test()).toMatch(/^# pass 2\n# fail 1$/m);
  await fix(folder, meetings, "return one.start <= other.end && other.start <= one.end;");
  expect(await test()).toMatch(/^# pass 3\n# fail 0$/m);
});

it.runIf(hasJava)("the Java project charges for free shipping, until its defect is fixed", async () => {
  const folder = await copyOf(orders.projectKey);
  const sources = join(folder, "src/main/java/com/example/orders");
  const receipt = async (): Promise<string> => {
    const files = (await readdir(sources)).map((name) => join(sources, name));
    await run("javac", ["-d", join(folder, "classes"), ...files]);
    return (await run("java", ["-cp", join(folder, "classes"), "com.example.orders.Main"])).stdout;
  };
  expect(await receipt()).toContain("Shipping: 4.90\nTotal: 54.90\n");
  await fix(folder, orders, "return goodsCents > FREE_FROM_CENTS;");
  expect(await receipt()).toContain("Shipping: 0.00\nTotal: 50.00\n");
});
