import { memoryPair } from "@editwire/transport";
import { expect, it, onTestFinished } from "vitest";
import { RawPeer } from "../../peer/test/raw-peer.js";
import { bundle } from "../../../scripts/testing/bundle.js";
import { type AcpAgent, type AcpClient, type AcpClientOptions, serveAcp, specModes } from "../src/index.js";
import { type AcpListenOptions, dialAcp, listenAcp, spawnAcp } from "../src/node.js";
import { acpPair } from "../src/testing.js";

const { flood } = await bundle(import.meta.url, { flood: "fixtures/flood-agent.ts" });

const agent: AcpAgent = {
  modes: specModes,
  async prompt(turn) {
    await turn.text("begun");
    await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
  },
};

async function listening(options: AcpListenOptions = {}): Promise<string> {
  const listener = await listenAcp(agent, options);
  onTestFinished(() => listener.close());
  return listener.url;
}

const ways: [string, (options: AcpClientOptions) => Promise<AcpClient>][] = [
  ["memory", async (client) => (await acpPair(agent, { client })).client],
  ["a process", (options) => spawnAcp([process.execPath, flood], options)],
  ["HTTP", async (options) => dialAcp(await listening({ paths: "spec" }), { ...options, paths: "spec" })],
  ["Streamable HTTP", async (options) => dialAcp(await listening(), options)],
  ["a WebSocket", async (options) => dialAcp((await listening()).replace("http", "ws"), options)],
];

it.each(ways)("close in the middle of a turn sends session/cancel first, over %s", async (_name, open) => {
  const sent: string[] = [];
  const client = await open({
    onWire: (direction, message) => void (direction === "out" && sent.push(JSON.stringify(message))),
  });
  const turn = (await client.newSession({ cwd: "/" })).prompt("20");
  for await (const { type } of turn) {
    if (type !== "text") continue;
    await client.close();
    break;
  }
  expect(sent.some((message) => message.includes("session/cancel"))).toBe(true);
  expect(await turn.stopReason).toBe("cancelled");
});

it("a client that goes in the middle of a turn cancels it, and is reported once", async () => {
  const seen: string[] = [];
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const [here, there] = memoryPair();
  const serving = serveAcp(there, {
    async prompt({ signal }) {
      begin();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      seen.push("cancelled");
    },
    disconnected: () => void seen.push("disconnected"),
  });
  const raw = new RawPeer(here);
  await raw.call("initialize", { protocolVersion: 1 });
  const { result } = await raw.call("session/new", { cwd: "/", mcpServers: [] });
  raw.call("session/prompt", { ...(result as object), prompt: [{ type: "text", text: "go" }] }).catch(() => {});
  await begun;
  await here.close();
  await serving.closed;
  await expect.poll(() => [...seen].sort()).toEqual(["cancelled", "disconnected"]);
});

it.each([undefined, "spec"] as const)(
  "a listener with the paths %s ends its sessions when it closes",
  async (paths) => {
    const signals: AbortSignal[] = [];
    const listener = await listenAcp({ ...agent, newSession: ({ signal }) => void signals.push(signal) }, { paths });
    const client = await dialAcp(listener.url, { paths, closeTimeoutMs: 100 });
    onTestFinished(() => client.close());
    await client.newSession({ cwd: "/" });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await listener.close();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]); // its MCP servers end with it
  },
);
