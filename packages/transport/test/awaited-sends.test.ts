import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { ndjson } from "@editwire/framing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";
import { bundle } from "../../../scripts/testing/bundle.js";
import { httpServer, nodeStreamTransport, webSocketUpgrader } from "../src/node.js";
import type { Transport } from "../src/index.js";
import { deferred } from "./near-end.js";

const { abrupt } = await bundle(import.meta.url, { abrupt: "fixtures/abrupt.ts" });

const count = 20_000;
/** Bytes of 20,000 messages, divided by the 64 KiB of a block, with some room for blocks that the clock cuts short. */
const fewWrites = 200;
const message = (i: number): string => JSON.stringify({ i, pad: "x".repeat(50) });

async function sendAwaited(transport: Transport): Promise<void> {
  for (let i = 0; i < count; i += 1) await transport.send(message(i));
}

/** Both ends of a TCP connection. */
async function socketPair(): Promise<[Socket, Socket]> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const near = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [far] = (await once(server, "connection")) as [Socket];
  server.close();
  onTestFinished(() => {
    near.destroy();
    far.destroy();
  });
  return [near, far];
}

describe("sends that are awaited one by one", () => {
  it("cost a socket few writes, and keep their order", async () => {
    const [near, far] = await socketPair();
    const transport = nodeStreamTransport(near, near, ndjson());
    const received: unknown[] = [];
    const closed = new Promise((resolve) => {
      nodeStreamTransport(far, far, ndjson()).start({
        message: (value) => void received.push((value as { i: number }).i),
        malformed() {},
        closed: resolve,
      });
    });
    const write = vi.spyOn(near, "write");
    await sendAwaited(transport);
    await transport.close();
    await closed;
    expect(write.mock.calls.length).toBeLessThan(fewWrites);
    expect(received).toEqual(Array.from({ length: count }, (_, i) => i));
  });

  it("cost an event stream few chunks", async () => {
    const client = deferred<Transport>();
    const server = httpServer({ rpcPath: "/rpc", eventsPath: "/events", onClient: client.resolve });
    onTestFinished(() => server.close());
    const request = new Request("http://127.0.0.1/events?client_id=1", { headers: { host: "127.0.0.1" } });
    const response = await server.fetch(request);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const sent = sendAwaited(await client.promise);
    const decoder = new TextDecoder();
    let chunks = 0;
    for (let text = ""; !text.includes(`"i":${count - 1},`); chunks += 1)
      text = text.slice(-100) + decoder.decode((await reader.read()).value, { stream: true });
    await sent;
    expect(chunks).toBeLessThan(fewWrites);
  });

  it("cost a WebSocket few writes", async () => {
    const accepted = deferred<[Transport, Socket]>();
    const server = createHttpServer().on("upgrade", (request, socket, head) => {
      const sockets = webSocketUpgrader((transport) => accepted.resolve([transport, socket as Socket]));
      sockets.upgrade(request, socket, head);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close().closeAllConnections());
    const far = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const received: unknown[] = [];
    far.on("message", (data) => received.push((JSON.parse((data as Buffer).toString()) as { i: number }).i));
    const [transport, socket] = await accepted.promise;
    const writes = countWrites(socket);
    const closed = once(far, "close");
    await sendAwaited(transport);
    await transport.close();
    await closed;
    expect(writes()).toBeLessThan(fewWrites);
    expect(received).toEqual(Array.from({ length: count }, (_, i) => i));
  });

  it.each([
    ["after awaited sends", []],
    ["inside the event of a message", ["message"]],
  ])("are written when the process exits %s", async (_name, more) => {
    const child = spawn(process.execPath, [abrupt, "1000", ...more], { stdio: ["pipe", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    child.stdin.write("1\n");
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    expect(await once(child, "close")).toEqual([3, null]);
    expect(text).toBe(Array.from({ length: 1_000 }, (_, i) => `{"i":${i}}\n`).join(""));
  });
});

/** Counts what leaves a socket for the system: blocks and lists of blocks. */
function countWrites(socket: Socket): () => number {
  const write = vi.spyOn(socket, "_write");
  const writev = vi.spyOn(socket as Required<Pick<Socket, "_writev">>, "_writev");
  return () => write.mock.calls.length + writev.mock.calls.length;
}
