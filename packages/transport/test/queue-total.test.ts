// The messages that wait for all peers of a listener have one bound. Past it, the slowest connection is closed.
import { once } from "node:events";
import { connect } from "node:net";
import { ndjson } from "@editwire/framing";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { httpServer, listenSocket, listenWebSockets, webSocketUpgrader } from "../src/node.js";
import type { Transport } from "../src/index.js";
import { deferred } from "./near-end.js";

const maxQueuedTotal = 8 * 1024 * 1024;
const block = JSON.stringify("x".repeat(256 * 1024));

/** The connections that a listener has, and how they ended. */
class Accepted {
  readonly transports: Transport[] = [];
  readonly reasons: string[] = [];
  readonly reports: string[] = [];
  readonly firstEnd = deferred();
  #waiting: (() => void)[] = [];

  readonly take = (transport: Transport): void => {
    const index = this.transports.push(transport) - 1;
    transport.start({
      message() {},
      malformed() {},
      closed: ({ code }) => {
        this.reasons[index] = code;
        this.firstEnd.resolve();
      },
    });
    for (const wake of this.#waiting.splice(0)) wake();
  };

  readonly onDiagnostic = ({ id, message }: { id: string; message: string }): void =>
    void this.reports.push(`${id}: ${message}`);

  async next(count: number): Promise<void> {
    while (this.transports.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

type Connect = (accepted: Accepted, count: number) => Promise<void>;
const listeners: readonly [string, Connect][] = [
  [
    "of WebSockets",
    async (accepted, count) => {
      const { take, onDiagnostic } = accepted;
      const listener = await listenWebSockets(webSocketUpgrader(take, { maxQueuedTotal, onDiagnostic }));
      onTestFinished(() => listener.close());
      for (let i = 1; i <= count; i += 1) {
        const socket = new WebSocket(listener.url);
        onTestFinished(() => socket.terminate());
        socket.on("error", () => {});
        await Promise.all([once(socket, "open"), accepted.next(i)]);
        socket.pause();
      }
    },
  ],
  [
    "of sockets",
    async (accepted, count) => {
      const { take, onDiagnostic } = accepted;
      const listener = await listenSocket({ port: 0 }, ndjson(), take, { maxQueuedTotal, onDiagnostic });
      onTestFinished(() => listener.close());
      const { port } = listener.address as { port: number };
      for (let i = 1; i <= count; i += 1) {
        const socket = connect(port, "127.0.0.1").on("error", () => {});
        onTestFinished(() => void socket.destroy());
        await accepted.next(i);
      }
    },
  ],
  [
    "of HTTP",
    async (accepted, count) => {
      const { take: onClient, onDiagnostic } = accepted;
      const server = httpServer({ rpcPath: "/rpc", eventsPath: "/sse", onClient, maxQueuedTotal, onDiagnostic });
      onTestFinished(() => server.close());
      for (let i = 1; i <= count; i += 1)
        await server.fetch(new Request(`http://localhost/sse?client_id=${i}`, { headers: { host: "localhost" } }));
    },
  ],
];

describe.each(listeners)("a listener %s", (_name, connectAll) => {
  it("closes the slowest connection with a report, and no other one", async () => {
    const accepted = new Accepted();
    await connectAll(accepted, 3);
    const [slowest, slow, idle] = accepted.transports;
    // A socket's buffers in the system take some megabytes before anything waits here.
    for (let sent = 0; sent < 48 && accepted.reasons.length === 0; sent += 1) {
      void slowest?.send(block);
      if (sent % 4 === 0) void slow?.send(block);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await accepted.firstEnd.promise;
    expect(accepted.reasons).toEqual(["overloaded"]);
    expect(accepted.reports).toEqual([
      expect.stringMatching(
        /^listener\.overloaded: the slowest connection was closed: it had \d+ bytes; \d+ bytes .* \(maxQueuedTotal\)$/,
      ),
    ]);
    expect(() => slowest?.send("1")).toThrow("closed");
    void slow?.send("1");
    void idle?.send("1");
  });
});

it("an HTTP server drops what it keeps for lost streams before clients that read are closed", async () => {
  const accepted = new Accepted();
  const { take: onClient, onDiagnostic } = accepted;
  const options = { rpcPath: "/rpc", eventsPath: "/sse", onClient, onDiagnostic };
  const server = httpServer({ ...options, maxQueuedTotal: 1024 * 1024 });
  onTestFinished(() => server.close());
  const open = (headers: Record<string, string> = {}): Promise<Response> =>
    server.fetch(new Request("http://localhost/sse?client_id=c", { headers: { host: "localhost", ...headers } }));
  const first = await open();
  const reader = first.body?.getReader();
  await accepted.next(1);
  for (let i = 0; i < 16; i += 1) {
    await accepted.transports[0]?.send(block);
    for (let chars = 0; chars < block.length; ) chars += (await reader?.read())?.value?.byteLength ?? 0;
  }
  expect([accepted.reasons, accepted.reports]).toEqual([[], []]);
  await reader?.cancel();
  expect((await open({ "last-event-id": first.headers.get("last-event-id") ?? "" })).status).toBe(410);
});
