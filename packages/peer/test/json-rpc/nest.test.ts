import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { ndjson } from "@editwire/framing";
import { httpClientTransport, httpStreamsClientTransport, memoryPair, type Transport } from "@editwire/transport";
import { connectSocket, connectWebSocket, spawnTransport } from "@editwire/transport/node";
import { afterAll, describe, expect, it } from "vitest";
import { bundle } from "../../../../scripts/testing/bundle.js";
import { jsonRpcPeer } from "../../src/index.js";
import { nest, streamNames } from "./nest.js";

const { nest: farEnd } = await bundle(import.meta.url, { nest: "fixtures/nest.ts" });
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill();
});

/** Starts the far end, and gives the address that it prints. */
async function listen<Address>(kind: string): Promise<Address> {
  const child = spawn(process.execPath, [farEnd, kind], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return JSON.parse(String(line)) as Address;
}

const transports: Record<string, () => Promise<Transport>> = {
  async memory() {
    const [here, there] = memoryPair();
    nest(jsonRpcPeer(there)).catch(() => {}); // the near end is answered with it
    return here;
  },
  stdio: () => Promise.resolve(spawnTransport([process.execPath, farEnd, "stdio"], ndjson())),
  socket: async () => connectSocket(await listen("socket"), ndjson()),
  ws: async () => connectWebSocket(`ws://127.0.0.1:${await listen<number>("ws")}/`),
  async http() {
    const url = await listen<string>("http");
    return httpClientTransport({ rpc: `${url}/rpc?client_id=1`, events: `${url}/events?client_id=1` });
  },
  async streams() {
    const routes = {
      outgoing: () => "",
      incoming: () => ({}),
      awaits: () => true,
      mayArriveTwice: () => false,
      refused: () => undefined,
    };
    return httpStreamsClientTransport({ url: `${await listen<string>("streams")}/`, names: streamNames, routes });
  },
};

describe.each(Object.keys(transports))("over %s", (kind) => {
  it("two handlers of one session call each other, a thousand deep, and both finish", async () => {
    const transport = await transports[kind]?.();
    if (transport === undefined) throw new Error("no transport");
    const peer = jsonRpcPeer(transport);
    const reached = nest(peer);
    expect(await peer.request("depth", { n: 0, opens: true })).toBe(0);
    const met = peer.request("meet", { n: 1_000 });
    await peer.notify("begin", { s: "1", n: 1_000 });
    expect(await Promise.all([reached, met])).toEqual([1_000, 1_000]);
    await peer.close();
  });
});
