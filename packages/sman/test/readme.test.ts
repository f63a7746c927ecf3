import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";

const { backend, plugin } = await bundle(import.meta.url, { backend: "readme/backend.ts", plugin: "readme/plugin.ts" });

it("the README's backend calls the tools of the README's plugin", async () => {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const dialing = spawn(process.execPath, [plugin, `ws://127.0.0.1:${port}`], { stdio: ["ignore", "ignore", "pipe"] });
  const listening = spawn(process.execPath, [backend, `${port}`], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void [dialing.kill("SIGKILL"), listening.kill("SIGKILL")]);
  let printed = "";
  listening.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  await once(listening, "close");
  expect(printed).toBe(
    ["found TODO in all files", "found FIXME in all files", "the tool failed: no such file: missing.ts", ""].join("\n"),
  );
  dialing.kill("SIGTERM");
  expect((await once(dialing, "exit"))[0]).toBe(0);
});
