import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";

const run = (name: string): string[] => ["--import", "tsx", "--conditions=@editwire/source", fileURLToPath(new URL(`readme/${name}`, import.meta.url))];

it("the README's client runs the README's agent", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [...run("client.ts"), process.execPath, ...run("agent.ts")]);
  expect(stdout.trim().split("\n")).toEqual(["Looking around.", "[in_progress] Delete build/", "", "[failed] Delete build/", "", "end_turn"]);
});

it("the README's client reaches the README's agent over HTTP", async () => {
  const server = spawn(process.execPath, [...run("http-agent.ts"), "0"]);
  onTestFinished(() => void server.kill());
  const [line] = (await once(server.stdout, "data")) as [Buffer];
  const url = /^serving ACP at (\S+)\n$/.exec(String(line))?.[1] ?? "";
  const { stdout } = await promisify(execFile)(process.execPath, [...run("http-client.ts"), url]);
  expect(stdout).toBe("You said: Hello\n");
});
