import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = (name: string): string[] => ["--import", "tsx", "--conditions=@editwire/source", fileURLToPath(new URL(`readme/${name}`, import.meta.url))];

it("the README's client runs the README's agent", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [...run("client.ts"), process.execPath, ...run("agent.ts")]);
  expect(stdout.trim().split("\n")).toEqual(["Looking around.", "[in_progress] Delete build/", "", "[failed] Delete build/", "", "end_turn"]);
});
