import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ndjson } from "@editwire/framing";
import { nodeStreamTransport } from "@editwire/transport/node";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RawPeer, type Message } from "../../peer/test/raw-peer.js";

const kills = 25;
const cwd = "/project";
let root = "";
let program = "";

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "stored-kill-"));
  program = join(root, "agent.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("fixtures/stored-agent.ts", import.meta.url))],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@editwire/source"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "error",
  });
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** The agent in a process of its own. */
async function start(): Promise<{ child: ChildProcess; client: RawPeer }> {
  const child = spawn(process.execPath, [program, join(root, "sessions")], { stdio: ["pipe", "pipe", "inherit"] });
  const client = new RawPeer(nodeStreamTransport(child.stdout, child.stdin, ndjson()));
  await client.call("initialize", { protocolVersion: 1 });
  return { child, client };
}

/** The texts of the agent that a client got, in order. */
function textsOf({ received }: RawPeer): string[] {
  return received.flatMap((message) => textOf(message) ?? []);
}

function textOf({ params }: Message): string | undefined {
  const { sessionUpdate, content } = (params?.["update"] ?? {}) as { sessionUpdate?: string; content?: unknown };
  return sessionUpdate === "agent_message_chunk" ? (content as { text: string }).text : undefined;
}

const counted = (length: number): string[] => Array.from({ length }, (_, index) => `${index + 1};`);

it(`replays every update that a client got, none twice, after each of ${kills} kills at any moment`, async () => {
  const first = await start();
  const { result } = await first.client.call("session/new", { cwd, mcpServers: [] });
  const { sessionId } = result as { sessionId: string };
  first.child.kill("SIGKILL");

  let acknowledged: string[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const { child, client } = await start();
    const loaded = await client.call("session/load", { sessionId, cwd, mcpServers: [] });
    expect(loaded.error).toBeUndefined();
    const replayed = textsOf(client);
    expect(replayed.length).toBeGreaterThanOrEqual(acknowledged.length);
    expect(replayed).toEqual(counted(replayed.length));

    const exited = once(child, "exit");
    const wanted = replayed.length + 1 + Math.floor(Math.random() * 200);
    client.send({
      jsonrpc: "2.0",
      id: "prompt",
      method: "session/prompt",
      params: { sessionId, prompt: [{ type: "text", text: "count" }] },
    });
    await client.until((message) => textOf(message) === `${wanted};`);
    child.kill("SIGKILL");
    await exited;
    await client.closed;
    acknowledged = textsOf(client);
    expect(acknowledged).toEqual(counted(acknowledged.length));
  }
  expect(acknowledged.length).toBeGreaterThan(kills);
});

it("keeps all titles or none of one, and lists every session, when it is killed while titles change", async () => {
  const last = new Map<string, number>();
  for (let kill = 0; kill < 8; kill++) {
    const { child, client } = await start();
    const { result: listed } = await client.call("session/list", {});
    const { sessions } = listed as { sessions: { sessionId: string; title?: string }[] };
    for (const [id, title] of last) {
      const found = sessions.find(({ sessionId }) => sessionId === id);
      expect(Number(found?.title)).toBeGreaterThanOrEqual(title);
    }
    const { result } = await client.call("session/new", { cwd, mcpServers: [] });
    const { sessionId } = result as { sessionId: string };
    const exited = once(child, "exit");
    const stopAt = 1 + Math.floor(Math.random() * 20);
    for (let title = 1; title <= stopAt; title++) {
      await client.call("session/prompt", { sessionId, prompt: [{ type: "text", text: `title ${title}` }] });
      last.set(sessionId, title);
    }
    client.send({
      jsonrpc: "2.0",
      id: "title",
      method: "session/prompt",
      params: { sessionId, prompt: [{ type: "text", text: `title ${stopAt + 1}` }] },
    });
    child.kill("SIGKILL");
    await exited;
  }
});
