import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { createGunzip, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { type HttpListener, listenHttp, type ListenOptions, nodeListener } from "../src/node.js";
import { listen } from "./http-fixture.js";
import { deferred } from "./near-end.js";
import { rawHttp, requestText } from "./raw-http.js";

async function start(handler: Parameters<typeof listenHttp>[0], options: ListenOptions = {}): Promise<HttpListener> {
  const listener = await listenHttp(handler, options);
  onTestFinished(() => listener.close());
  return listener;
}

/** A stream without an end, and whether it was cancelled. */
function endless() {
  const cancelled = deferred();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start: (its) => {
      controller = its;
      its.enqueue(new TextEncoder().encode("first"));
    },
    cancel: () => cancelled.resolve(),
  });
  return { stream, cancelled: cancelled.promise, end: () => controller?.close() };
}

describe("a fetch-style handler on a Node server", () => {
  it("sees the request and gives the answer, as they are", async () => {
    const { url } = await start(async (request) => {
      const { method, headers } = request;
      const { pathname, search } = new URL(request.url);
      return Response.json(
        { method, pathname, search, x: headers.get("x-a"), body: await request.text() },
        { status: 201, headers: { "x-b": "b" } },
      );
    });
    const answer = await fetch(`${url}/a%20b?c=1`, { method: "PUT", headers: { "x-a": "1, 2" }, body: "grün" });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("x-b")).toBe("b");
    expect(await answer.json()).toEqual({ method: "PUT", pathname: "/a%20b", search: "?c=1", x: "1, 2", body: "grün" });
  });

  it("has its stream cancelled when the caller goes away", async () => {
    const { stream, cancelled } = endless();
    const { port } = await start(() => new Response(stream));
    const connection = rawHttp(port, requestText("GET /"));
    await connection.until(/first/);
    connection.socket.destroy();
    await cancelled;
  });

  it("has its stream cancelled when the caller went away before the answer", async () => {
    const { stream, cancelled } = endless();
    const asked = deferred();
    const hold = deferred();
    const sockets: Socket[] = [];
    const listener = await listen(
      async () => {
        asked.resolve();
        await hold.promise;
        return new Response(stream);
      },
      { onSocket: (socket) => sockets.push(socket) },
    );
    rawHttp(listener.port, requestText("GET /"));
    await asked.promise;
    const closed = sockets.map((socket) => once(socket, "close"));
    listener.cut();
    await Promise.all(closed);
    hold.resolve();
    await cancelled;
  });

  it.each([
    ["a value", (text: string): unknown => JSON.parse(text)],
    ["a text", (text: string): unknown => text],
    ["bytes", (text: string): unknown => Buffer.from(text)],
  ])("gets a body that a framework has left as %s", async (_name, parse) => {
    const listener = nodeListener(async (request) =>
      Response.json([
        request.headers.get("content-length"),
        request.headers.get("content-encoding"),
        await request.text(),
      ]),
    );
    const server = createServer(async (request: IncomingMessage & { body?: unknown }, response) => {
      request.body = parse(await textOf(request.pipe(createGunzip())));
      listener(request, response);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close().closeAllConnections());
    const body = gzipSync('{"a":"grün"}');
    const headers = { "content-encoding": "gzip" };
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body, headers });
    expect(await answer.json()).toEqual([null, null, '{"a":"grün"}']);
  });

  it("reads a body that a framework left alone", async () => {
    const listener = nodeListener(async (request) => new Response(await request.text()));
    const server = createServer((request, response) => listener(Object.assign(request, { body: {} }), response));
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close().closeAllConnections());
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "text" });
    expect(await answer.text()).toBe("text");
  });

  it("that fails loses its connection, not the server", async () => {
    const { port } = await start((request) =>
      request.url.endsWith("bad") ? Promise.reject(new Error("broken")) : new Response("fine"),
    );
    expect(await rawHttp(port, requestText("GET /bad")).closed).toBe("");
    await rawHttp(port, requestText("GET /good")).until(/fine/);
  });
});

describe("a listener", () => {
  it("lets answers under way end before it closes, and no new ones begin", async () => {
    const { stream, end } = endless();
    const listener = await start(() => new Response(stream));
    const connection = rawHttp(listener.port, requestText("GET /"));
    await connection.until(/first/);
    const closing = listener.close();
    expect(await rawHttp(listener.port, requestText("GET /")).closed).toBe("");
    end();
    await closing;
    expect(await connection.closed).toMatch(/first\r\n0\r\n\r\n$/);
  });

  it("ends those that take too long", async () => {
    const { stream, cancelled } = endless();
    const listener = await start(() => new Response(stream), { closeTimeoutMs: 1 });
    const connection = rawHttp(listener.port, requestText("GET /"));
    await connection.until(/first/);
    await listener.close();
    await connection.closed;
    await cancelled;
  });

  it("says where it cannot listen", async () => {
    const { port } = await listen(() => new Response());
    await expect(listenHttp(() => new Response(), { port })).rejects.toMatchObject({
      code: "not_connected",
      message: expect.stringMatching(/^cannot listen on http:\/\/127\.0\.0\.1:\d+: .*EADDRINUSE/) as string,
    });
  });
});
