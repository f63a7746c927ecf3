import { describe, expect, it, onTestFinished } from "vitest";
import { type HttpServerOptions, listenHttp, type ListenOptions } from "../src/node.js";
import { listen, serve } from "./http-fixture.js";
import { deferred } from "./near-end.js";
import { rawHttp, requestText } from "./raw-http.js";

const rpc = "/rpc?client_id=c";
const sse = "/sse?client_id=c";

interface Target {
  readonly port: number;
  readonly url: string;
  /** The ids of the clients that got in. */
  readonly admitted: string[];
  /** Sends a request by hand and gives the status line and everything else. */
  ask(method: string, path: string, headers?: Record<string, string>, body?: string): Promise<string>;
}

/** A server on a real listener. */
async function target(options: Partial<HttpServerOptions> = {}, limits: ListenOptions = {}): Promise<Target> {
  const admitted: string[] = [];
  const { server } = serve({
    onClient(transport, { id }) {
      admitted.push(id);
      transport.start({ message() {}, malformed() {}, closed() {} });
    },
    ...options,
  });
  const listener = await listenHttp((request) => server.fetch(request), { closeTimeoutMs: 0, ...limits });
  onTestFinished(() => listener.close());
  const { port, url } = listener;
  const ask: Target["ask"] = (method, path, headers = {}, body = "") => {
    const length: Record<string, string> = body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) };
    return rawHttp(port, requestText(`${method} ${path}`, { connection: "close", ...length, ...headers }, body)).closed;
  };
  return { port, url, admitted, ask };
}

const status = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

describe("who is turned away before anything is read", () => {
  it.each([["evil.example"], ["127.0.0.1.evil.example:9000"], [""], ["localhost, evil.example"], ["user@localhost"]])(
    "DNS rebinding: the Host %j",
    async (host) => {
      const { ask, admitted } = await target();
      expect(status(await ask("POST", rpc, { host }, "1"))).toBe(403);
      expect(admitted).toEqual([]);
    },
  );

  it("two Hosts", async () => {
    const { port, admitted } = await target();
    const answer = await rawHttp(
      port,
      `POST ${rpc} HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
    ).closed;
    expect(status(answer)).toBe(403);
    expect(admitted).toEqual([]);
  });

  it("a foreign page that POSTs without a preflight", async () => {
    const { ask, admitted } = await target();
    const answer = await ask("POST", rpc, { origin: "https://evil.example", "content-type": "text/plain" }, "1");
    expect(status(answer)).toBe(403);
    expect(answer).not.toMatch(/access-control/i);
    expect(admitted).toEqual([]);
  });

  it("a foreign page that opens streams with image tags, which name no Origin", async () => {
    const { ask, admitted } = await target();
    for (const site of ["cross-site", "same-site"])
      expect(status(await ask("GET", sse, { "sec-fetch-site": site }))).toBe(403);
    expect(admitted).toEqual([]);
  });

  it("a sandboxed page or a local file: the Origin null", async () => {
    const { ask, admitted } = await target({ origins: ["https://app.example"] });
    expect(status(await ask("POST", rpc, { origin: "null" }, "1"))).toBe(403);
    expect(admitted).toEqual([]);
  });

  it.each([
    [{}],
    [{ authorization: "Bearer wrong" }],
    [{ authorization: "Basic dDp0" }],
    [{ authorization: "Bearer t0ken, Bearer t0ken" }],
  ])("the token: %j", async (headers) => {
    const { ask, admitted } = await target({ token: "t0ken" });
    for (const answer of [
      await ask("POST", rpc, headers, "1"),
      await ask("GET", sse, headers),
      await ask("DELETE", sse, headers),
    ]) {
      expect(status(answer)).toBe(401);
      expect(answer).toMatch(/^www-authenticate: Bearer\r$/im);
      expect(answer).not.toContain("t0ken");
    }
    expect(admitted).toEqual([]);
  });

  it("the token in the query", async () => {
    const { ask } = await target({ token: "t0ken" });
    expect(status(await ask("POST", `${rpc}&token=t0ken&access_token=t0ken`, {}, "1"))).toBe(401);
  });
});

describe("pages", () => {
  it("get no CORS headers and no preflight where no origin is named", async () => {
    const { ask } = await target();
    const preflight = { origin: "https://app.example", "access-control-request-method": "POST" };
    const answer = await ask("OPTIONS", rpc, preflight);
    expect(status(answer)).toBe(403);
    expect(answer).not.toMatch(/access-control/i);
    expect(status(await ask("OPTIONS", rpc))).toBe(405);
  });

  it("of a named origin get in with the token, and their preflight without", async () => {
    const { ask } = await target({ origins: ["https://app.example"], token: "t" });
    const origin = "https://app.example";
    const preflight = await ask("OPTIONS", rpc, {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type",
    });
    expect(status(preflight)).toBe(204);
    expect(preflight).toMatch(/^access-control-allow-origin: https:\/\/app\.example\r$/im);
    expect(preflight).toMatch(
      /^access-control-allow-headers: authorization, content-type, idempotency-key, last-event-id\r$/im,
    );
    const answer = await ask("POST", rpc, { origin, authorization: "Bearer t" }, "1");
    expect(status(answer)).toBe(202);
    expect(answer).toMatch(/^access-control-allow-origin: https:\/\/app\.example\r$/im);
    expect(answer).toMatch(/^vary: origin\r$/im);
    expect(answer).not.toMatch(/allow-credentials/i);
    expect(status(await ask("POST", rpc, { origin }, "1"))).toBe(401);
    expect(status(await ask("OPTIONS", rpc, { origin: "https://evil.example" }))).toBe(403);
  });
});

describe("too much", () => {
  const limit = { maxBodyBytes: 1_000 };

  it("body, announced: answered before it is sent", async () => {
    const { port, admitted } = await target(limit);
    const connection = rawHttp(port, requestText(`POST ${rpc}`, { "content-length": "1000000000" }));
    expect(status(await connection.until(/\n\r\n/))).toBe(413);
    expect(admitted).toEqual(["c"]);
  });

  it("body, in chunks without an end", async () => {
    const { port } = await target(limit);
    const connection = rawHttp(port, requestText(`POST ${rpc}`, { "transfer-encoding": "chunked" }));
    const more = (): void => connection.write(`800\r\n${"x".repeat(0x800)}\r\n`);
    more();
    expect(status(await connection.until(/\n\r\n/))).toBe(413);
    more();
    connection.write(`0\r\n\r\n${requestText(`POST ${rpc}`, { "content-length": "1" }, "1")}`);
    await connection.until(/HTTP\/1\.1 202/); // The connection is as good as before.
  });

  it("body, with a false length", async () => {
    const { ask } = await target(limit);
    expect(status(await ask("POST", rpc, { "content-length": "-1" }))).toBe(400);
    expect(status(await ask("POST", rpc, { "content-length": "1", "transfer-encoding": "chunked" }, "0\r\n\r\n"))).toBe(
      400,
    );
  });

  it("headers", async () => {
    const { ask } = await target({}, { maxHeaderBytes: 2_000 });
    expect(status(await ask("POST", rpc, { "x-a": "x".repeat(3_000) }, "1"))).toBe(431);
  });

  it("connections", async () => {
    const { port } = await target({}, { maxConnections: 2 });
    const open = [rawHttp(port, requestText(`GET ${sse}`)), rawHttp(port, requestText("GET /sse?client_id=d"))];
    for (const connection of open) await connection.until(/: connected/);
    expect(status(await rawHttp(port, requestText(`POST ${rpc}`)).closed)).toBe(503);
  });

  it("clients", async () => {
    const { ask, admitted, port } = await target({ maxClients: 2 });
    for (const id of ["a", "b"]) await rawHttp(port, requestText(`GET /sse?client_id=${id}`)).until(/: connected/);
    const answers: number[] = [];
    for (const id of ["a", "b", "x", "a"]) answers.push(status(await ask("POST", `/rpc?client_id=${id}`, {}, "1")));
    expect(answers).toEqual([202, 202, 503, 202]);
    expect(admitted).toEqual(["a", "b"]);
  });

  it("client_id", async () => {
    const { ask, admitted } = await target();
    expect(status(await ask("POST", `/rpc?client_id=${"x".repeat(10_000)}`, {}, "1"))).toBe(400);
    expect(admitted).toEqual([]);
  });

  it("requests on one connection that wait for their answers", async () => {
    const { server } = serve({ onClient: () => {} }); // Never starts its transport, so every POST waits.
    let count = 0;
    const many = deferred();
    const { port } = await listen((request) => {
      count += 1;
      if (count === 70) many.resolve();
      return server.fetch(request);
    });
    const request = requestText(`POST ${rpc}`, { "content-length": "1" }, "1");
    rawHttp(port, request.repeat(500));
    await many.promise;
    expect(status(await rawHttp(port, request).until(/\n\r\n/))).toBe(429);
  });
});

describe("too slow", () => {
  it("headers that never end", async () => {
    const { port } = await target({}, { headersTimeoutMs: 300 });
    const connection = rawHttp(port, "POST /rpc HTTP/1.1\r\nHost: localhost\r\n");
    expect(status(await connection.closed)).toBe(408);
  });

  it("a body that never ends", async () => {
    const { port, ask } = await target({}, { requestTimeoutMs: 300 });
    const connection = rawHttp(port, requestText(`POST ${rpc}`, { "content-length": "100" }, "[1,"));
    expect(status(await connection.closed)).toBe(408);
    expect(status(await ask("POST", rpc, {}, "1"))).toBe(202); // The same client is not held up by it.
  });

  it("not so an event stream, which takes as long as it likes", async () => {
    const { port } = await target({ keepAliveMs: 100 }, { headersTimeoutMs: 200, requestTimeoutMs: 300 });
    await rawHttp(port, requestText(`GET ${sse}`)).until(/(: ping\n\n[^]*){6}/);
  });
});

describe("what makes no sense", () => {
  it.each(["{oops", "", "[1,2", "\u0000"])("the body %j is answered 400", async (body) => {
    const { ask } = await target();
    expect(status(await ask("POST", rpc, {}, body))).toBe(400);
  });

  it.each([
    "/",
    "/rpc/",
    "//rpc",
    "/RPC",
    "/rpc%2f..",
    "/rpc;a=b",
    "/rpc/../../etc/passwd",
    "/%72pc",
    "/sse/%2e%2e/%2e%2e/etc/passwd",
    "http://evil.example/other",
    "//localhost:1/rpc",
    "//",
    "/\\rpc",
  ])("the path %s is answered 404", async (path) => {
    const { ask, admitted } = await target();
    expect(status(await ask("POST", `${path}?client_id=c`, {}, "1"))).toBe(404);
    expect(admitted).toEqual([]);
  });

  it.each([
    ["GET", rpc, 405],
    ["HEAD", rpc, 405],
    ["PUT", rpc, 405],
    ["DELETE", rpc, 405],
    ["PATCH", sse, 405],
    ["HEAD", sse, 405],
    ["POST", sse, 405],
    ["TRACE", rpc, 400],
    ["OPTIONS", "*", 400],
  ])("%s %s is answered %i, and the server lives on", async (method, path, expected) => {
    const { ask } = await target();
    const answer = await ask(method, path);
    expect(status(answer)).toBe(expected);
    if (method === "HEAD") expect(answer.split("\r\n\r\n")[1]).toBe("");
    expect(status(await ask("POST", rpc, {}, "1"))).toBe(202);
  });
});
