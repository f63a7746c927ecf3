import { spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { connectAcp } from "@editwire/acp";
import { connectEca } from "@editwire/eca";
import { contentLength, ndjson } from "@editwire/framing";
import { connectKaiak } from "@editwire/kaiak";
import { nodeStreamTransport } from "@editwire/transport/node";
import { expect, it, onTestFinished } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";
import { editwire } from "./commands.js";

const { endless } = await bundle(import.meta.url, { endless: "../../agent/test/fixtures/endless-agent.ts" });

/** Milliseconds after the end of stdin at which clients kill an agent: their `graceMs`, twice. */
const killedAfterMs = 4_000;
const quiet = { onError: () => {} };
const incident = { id: "1", rule_id: "r", message: "m" };

/** Prompts an agent of each protocol. */
const prompts: Readonly<Record<string, (read: Readable, write: Writable) => unknown>> = {
  async acp(read, write) {
    const client = await connectAcp(nodeStreamTransport(read, write, ndjson()), quiet);
    return (await client.newSession({ cwd: "/" })).prompt("go").stopReason;
  },
  async eca(read, write) {
    const transport = nodeStreamTransport(read, write, contentLength());
    const client = await connectEca(transport, { workspaceFolders: [], ...quiet });
    return client.newSession().prompt("go").stopReason;
  },
  async kaiak(read, write) {
    const client = await connectKaiak(nodeStreamTransport(read, write, contentLength()), quiet);
    await client.configure({ workspace: { working_dir: process.cwd() } });
    return client.newSession().prompt([incident]).stopReason;
  },
};

const protocols = Object.keys(prompts);

/** Agents that write without end, and bridges to one. */
const agents = [
  ...protocols.map((protocol) => ({ name: `an agent of ${protocol}`, protocol, argv: endlessAgent(protocol) })),
  ...protocols.map((protocol) => ({
    name: `the bridge of an editor of ${protocol}`,
    protocol,
    argv: editwire("bridge", "--from", protocol, "--to", "acp", "--", ...endlessAgent("acp")),
  })),
];

function endlessAgent(protocol: string): string[] {
  return [process.execPath, endless, protocol];
}

it.each(agents)("$name exits at the end of stdin although its client has stopped reading", async (agent) => {
  const [command = "", ...args] = agent.argv;
  const child = spawn(command, args);
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.on("data", (text: Buffer) => (stderr += text.toString()));
  const read = child.stdout.pipe(new PassThrough());
  void Promise.resolve(prompts[agent.protocol]?.(read, child.stdin)).catch(() => {});
  while (!stderr.includes("writes\n")) await once(child.stderr, "data");
  child.stdout.unpipe().pause(); // the client has stopped reading
  while (!stderr.includes("waits for room\n")) await once(child.stderr, "data");
  const endedAt = performance.now();
  child.stdin.end();
  const [code] = (await once(child, "exit")) as [number | null];
  expect(code).toBe(agent.protocol === "eca" ? 1 : 0);
  expect(performance.now() - endedAt).toBeLessThan(killedAfterMs);
});
