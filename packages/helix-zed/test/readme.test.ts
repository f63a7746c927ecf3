import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";

const { agent: agentFile, host: hostFile } = await bundle(
  import.meta.url,
  { agent: "readme/agent.ts", host: "readme/host.ts" },
  { external: ["libsql"] },
);

it("the README's host talks to the README's agent", async () => {
  const folder = mkdtempSync(join(tmpdir(), "helix-readme-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  const agent = spawn(process.execPath, [agentFile, `ws://127.0.0.1:${port}`]);
  onTestFinished(() => void agent.kill("SIGKILL"));
  const { stdout } = await promisify(execFile)(process.execPath, [hostFile, join(folder, "host.db"), String(port)]);
  const said = "Hello! How can I help you today? You said: Hello, can you help me?";
  expect(stdout.split("\n")).toEqual([
    "… Hello! How can I",
    `… ${said}`,
    "end_turn",
    `Hello, can you help me? -> ${said}`,
    "",
  ]);
  agent.kill("SIGTERM");
  expect(await once(agent, "close")).toEqual([0, null]);
});
