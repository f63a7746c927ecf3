import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { WebSocketServer } from "ws";
import { afterEach, describe, expect, test } from "vitest";
import { httpSeat, httpTarget, jsonRpc, runConformance, type RunOptions, type Target, wsTarget } from "../src/index.js";
import { UsageError } from "../src/core/errors.js";
import { Trace } from "../src/trace/trace.js";
import { openFaults } from "../src/wire/fault-names.js";
import { pong, toy, toyCase } from "./toy.js";

const closers: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(closers.splice(0).map((close) => close())));

const paths = { post: (id: string) => `/rpc?c=${id}`, stream: (id: string) => `/sse?c=${id}` };
/** The received requests: whole bodies, and requests that broke off. */
interface Seen {
  readonly bodies: string[];
  broken: number;
}

/** A toy server on HTTP: it answers what it can read, and refuses the rest. */
async function onHttp(): Promise<{ target: Target; seen: Seen }> {
  const seen: Seen = { bodies: [], broken: 0 };
  const streams = new Map<string, (message: unknown) => void>();
  const server: Server = createServer((request, response) => {
    const client = new URL(request.url ?? "", "http://localhost").searchParams.get("c") ?? "";
    if (request.method === "GET") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": hello\n\n");
      return void streams.set(client, (message) => response.write(`data: ${JSON.stringify(message)}\n\n`));
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => (seen.broken += 1));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      seen.bodies.push(body);
      try {
        for (const reply of pong(JSON.parse(body) as Record<string, unknown>)) streams.get(client)?.(reply);
        response.writeHead(202).end();
      } catch {
        response.writeHead(400).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return {
    seen,
    target: httpTarget({ url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, paths }),
  };
}

/** The same on WebSockets: what is not JSON is ignored, as is what nobody can read. */
async function onWs(): Promise<{ target: Target; seen: Seen }> {
  const seen: Seen = { bodies: [], broken: 0 };
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await new Promise<void>((resolve) => server.once("listening", resolve));
  server.on("connection", (socket) => {
    socket.on("error", () => {});
    socket.on("close", (code) => (seen.broken += code === 1000 ? 0 : 1));
    socket.on("message", (data) => {
      const body = String(data as Buffer);
      seen.bodies.push(body);
      if (body.startsWith("{"))
        for (const reply of pong(JSON.parse(body) as Record<string, unknown>)) socket.send(JSON.stringify(reply));
    });
  });
  closers.push(() => {
    for (const client of server.clients) client.terminate();
    return new Promise((resolve) => server.close(resolve));
  });
  return { seen, target: wsTarget({ url: `ws://127.0.0.1:${(server.address() as { port: number }).port}` }) };
}

const asks = (t: { send: { request(method: string, params: unknown): { result(): Promise<unknown> } } }) =>
  t.send.request("ping", { text: "x".repeat(50) }).result();
const calls = (more = {}) =>
  toyCase("calls", ["TOY-MUST"], async (t) => void (await t.require("TOY-MUST", asks(t))), more);
const run = (target: Target, cases = [calls()], options: Partial<RunOptions> = {}) =>
  runConformance({ protocol: toy(cases), role: "server", target, seed: 1, timeScale: 0.2, graceMs: 500, ...options });

describe.each([
  ["http", onHttp],
  ["ws", onWs],
] as const)("faults on %s", (transport, serve) => {
  test.each(["split:1", "split:seeded", "slow:1"])("%s is not noticed", async (fault) => {
    const { target } = await serve();
    expect(await run(target, [calls()], { faults: [fault] })).toMatchObject({
      outcome: "conformant",
      run: { transport, faults: [fault] },
    });
  });

  test("split:1 on the wire: a message in as many pieces as it has bytes", async () => {
    const { target, seen } = await serve();
    const trace = new Trace();
    const link = await target.open({
      trace,
      framing: "line",
      faults: openFaults(["split:1"], 1, jsonRpc),
      graceMs: 200,
      env: {},
    });
    link.send({ jsonrpc: "2.0", id: 1, method: "ping", params: {} });
    await expect.poll(() => seen.bodies).toEqual(['{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}']);
    await link.close();
  });

  test.each(["noise", "huge:16"])("%s is a message of its own, and the next one is read", async (fault) => {
    const { target, seen } = await serve();
    expect(await run(target, [calls()], { faults: [fault] })).toMatchObject({ outcome: "conformant" });
    expect(seen.bodies.length).toBe(4);
  });

  test.each(["cut:30", "stall:30"])("%s ends one connection within a message, and no other notices", async (fault) => {
    const { target, seen } = await serve();
    const one = toyCase(
      "breaks",
      ["TOY-MUST", "TOY-MUST-2"],
      async (t) => {
        const call = asks(t);
        const other = await t.connect();
        await t.require("TOY-MUST", asks(other));
        const answered = await Promise.race([call.then(() => true), t.pace(300).then(() => false)]).catch(() => false);
        t.check("TOY-MUST-2", !answered, { expected: "no answer to half a message" });
      },
      { isolation: "connection", faults: [fault] },
    );
    const report = await run(target, [one]);
    expect(
      report.cases
        .at(-1)
        ?.checks.filter(({ source }) => source === "case")
        .map(({ verdict }) => verdict),
    ).toEqual(["pass", "pass"]);
    expect(seen.bodies.every((body) => body.startsWith('{"jsonrpc"') && body.endsWith("}"))).toBe(true);
    if (fault.startsWith("cut")) await expect.poll(() => seen.broken).toBeGreaterThan(0);
  });

  test.each(["coalesce", "crlf"])("%s is for streams, and says so", async (fault) => {
    const { target } = await serve();
    await expect(run(target, [calls()], { faults: [fault] })).rejects.toBeInstanceOf(UsageError);
  });

  test("the axis runs cases again over what such a transport has", async () => {
    const { target } = await serve();
    const report = await run(target, [calls({ smoke: true })], { faultAxis: "all" });
    expect(report.cases.map(({ id, verdict }) => [id, verdict]).slice(1)).toEqual(
      ["", "@split:1", "@split:seeded", "@slow:1"].map((fault) => [`toy.server.calls${fault}`, "pass"]),
    );
  });
});

test("text that is not UTF-8 ends a WebSocket, as it has to, and is refused on HTTP", async () => {
  const [ws, http] = [await onWs(), await onHttp()];
  expect(await run(ws.target, [calls()], { faults: ["invalid-utf8"] })).toMatchObject({
    outcome: "target-error",
    error: expect.stringContaining("1007"),
  });
  expect(await run(http.target, [calls()], { faults: ["invalid-utf8"] })).toMatchObject({ outcome: "conformant" });
});

test("a client that breaks off within a POST is reported, and may go on", async () => {
  const trace = new Trace();
  const place = await httpSeat(paths).prepare({ trace, framing: "line", faults: [], graceMs: 200, env: {} });
  closers.push(() => place.close());
  const url = new URL(place.variables["url"] ?? "");
  const socket = connect(Number(url.port), url.hostname, () =>
    socket.write('POST /rpc?c=1 HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{"jsonrpc":', () =>
      socket.destroy(),
    ),
  );
  await expect
    .poll(() => trace.entries.some((entry) => entry.kind === "event" && entry.name === "http-aborted"))
    .toBe(true);
  const answer = await fetch(new URL("/rpc?c=1", url), {
    method: "POST",
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  });
  expect(answer.status).toBe(202);
  expect(trace.entries.filter(({ kind }) => kind === "message")).toHaveLength(1);
});
