import { WebSocket, WebSocketServer } from "ws";
import { afterEach, describe, expect, test } from "vitest";
import { runConformance, wsTarget } from "../src/index.js";
import { Trace } from "../src/trace/trace.js";
import type { WsExtras } from "../src/wire/ws-link.js";
import { wsSeat } from "../src/wire/ws-seat.js";
import { pong, toy, toyCase } from "./toy.js";

const servers: WebSocketServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    for (const client of server.clients) client.terminate();
    server.close();
  }
});

/** A toy server on a WebSocket; `answer` may do something else with a message. */
async function serve(
  answer = (socket: WebSocket, text: string): void =>
    pong(JSON.parse(text) as Record<string, unknown>).forEach((reply) => socket.send(JSON.stringify(reply))),
) {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  servers.push(server);
  await new Promise<void>((resolve) => server.once("listening", resolve));
  server.on("connection", (socket) => socket.on("message", (data) => answer(socket, String(data as Buffer))));
  return `ws://127.0.0.1:${(server.address() as { port: number }).port}`;
}

/** More frames than a WebSocket of Node.js accepts by default. */
function inManyFrames(socket: WebSocket, message: unknown): void {
  const text = JSON.stringify(message).padEnd(20_000);
  for (let at = 0; at < text.length; at += 1) socket.send(text.charAt(at), { fin: at === text.length - 1 });
}

const calls = toyCase(
  "calls",
  ["TOY-MUST"],
  async (t) => void (await t.require("TOY-MUST", t.send.request("ping", {}).result({ pong: true }))),
);
const run = (url: string, cases = [calls], startMs = 10_000) =>
  runConformance({ protocol: toy(cases), role: "server", target: wsTarget({ url }), startMs, seed: 1 });

describe("wsTarget", () => {
  test("judges a server that listens for WebSockets", async () => {
    expect(await run(await serve())).toMatchObject({ exitCode: 0, run: { transport: "ws" } });
  });

  test("reads a message in any number of frames", async () => {
    const url = await serve((socket, text) =>
      pong(JSON.parse(text) as Record<string, unknown>).forEach((reply) => inManyFrames(socket, reply)),
    );
    expect(await run(url)).toMatchObject({ exitCode: 0 });
  });

  test("an address where nobody listens is a target error", async () => {
    expect(await run("ws://127.0.0.1:1")).toMatchObject({
      exitCode: 4,
      error: expect.stringContaining("ws://127.0.0.1:1"),
    });
  });

  test("a binary message, and text that is not JSON, are not messages", async () => {
    for (const data of [Buffer.from("{}"), "hello"]) {
      const report = await run(await serve((socket) => socket.send(data)), [calls], 300);
      expect(report.exitCode).toBe(1);
      expect(
        report.cases
          .flatMap(({ checks }) => checks)
          .filter(({ verdict }) => verdict === "fail")
          .map(({ req }) => req),
      ).toContain("TOY-FRAME");
    }
  });

  test("a server that closes ends the waits with its code", async () => {
    const report = await run(await serve((socket) => socket.close(1011, "broken")));
    expect(report.exitCode).toBe(4);
    expect(report.error).toContain("closed with code 1011");
  });

  test("fragments and pings are a case's to send", async () => {
    const fragments = toyCase(
      "fragments",
      ["TOY-MUST"],
      async (t) => {
        const extras = t.extras as WsExtras;
        extras.ping();
        const call = t.send.request("ping", {});
        await call.result();
        extras.fragments(['{"jsonrpc":"2.0",', '"id":77,"method":"ping",', '"params":{}}']);
        await t.expect.message({ id: 77 });
        t.pass("TOY-MUST");
      },
      { isolation: "connection" },
    );
    const report = await run(await serve(), [fragments]);
    // Nobody announced request 77, so its answer is one too many for the monitor; the wait has seen it all the same.
    expect(report.cases.at(-1)?.checks.find(({ req }) => req === "TOY-MUST")).toBeDefined();
    expect(report.cases.at(-1)?.trace.some((entry) => entry.kind === "event" && entry.name === "pong")).toBe(true);
  });
});

test("wsSeat waits for a client and gives its connection; a second one is turned away", async () => {
  const trace = new Trace();
  const place = await wsSeat({ path: "/agent" }).prepare({ trace, framing: "line", faults: [], graceMs: 500, env: {} });
  const client = new WebSocket(place.variables["url"] ?? "");
  client.on("open", () => inManyFrames(client, { hello: 1 }));
  const link = await place.taken;
  await expect
    .poll(() => trace.entries.some((entry) => entry.kind === "message" && entry.from === "target"))
    .toBe(true);
  const second = new WebSocket(place.variables["url"] ?? "");
  expect(await new Promise((resolve) => second.once("close", resolve))).toBe(1013);
  await link.close();
  await place.close();
  expect(await link.ended).toMatchObject({ code: 1000 });
});
