import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";

const { client, agent, httpClient, httpAgent } = await bundle(import.meta.url, {
  client: "readme/client.ts",
  agent: "readme/agent.ts",
  httpClient: "readme/http-client.ts",
  httpAgent: "readme/http-agent.ts",
});

it("the README's client runs the README's agent", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [client, process.execPath, agent]);
  expect(stdout.trim().split("\n")).toEqual([
    "Looking around.",
    "[in_progress] Delete build/",
    "",
    "[rejected] Delete build/",
    "",
    "end_turn",
  ]);
});

it("the README's client reaches the README's agent over HTTP", async () => {
  const server = spawn(process.execPath, [httpAgent, "0"]);
  onTestFinished(() => void server.kill());
  const [line] = (await once(server.stdout, "data")) as [Buffer];
  const url = /^serving ACP at (\S+)\n$/.exec(String(line))?.[1] ?? "";
  const { stdout } = await promisify(execFile)(process.execPath, [httpClient, url]);
  expect(stdout).toBe("You said: Hello\n");
});
