import { createServer, type IncomingMessage } from "node:http";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect as connectTcp } from "node:net";
import { Duplex } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket as WsSocket, WebSocketServer } from "ws";
import { type Transport, webSocketTransport } from "../src/index.js";
import { connectWebSocket, webSocketUpgrader, type WebSocketServerOptions } from "../src/node.js";
import { type Ends, type EndsOptions, transportTests } from "./contract.js";
import { inProcess } from "./in-process.js";
import { deferred } from "./near-end.js";

interface Server {
  readonly url: string;
  readonly port: number;
  readonly accepted: Promise<Transport>;
  kill(): Promise<void>;
}

async function serve(options: WebSocketServerOptions = {}): Promise<Server> {
  const accepted = deferred<Transport>();
  const upgrader = webSocketUpgrader(accepted.resolve, options);
  const server = createServer().on("upgrade", (request, socket, head) => {
    if (!upgrader.upgrade(request, socket, head)) socket.end("HTTP/1.1 404 Not Found\r\n\r\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    await upgrader.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `ws://127.0.0.1:${port}`, port, accepted: accepted.promise, kill: () => upgrader.close() };
}

const large = { maxMessageBytes: 200_000_000, maxQueuedBytes: 200_000_000 };
const traits = { limitsMessages: false, carriesGarbage: false };

transportTests(
  "the client end of a WebSocket",
  async (options: EndsOptions): Promise<Ends> => {
    const server = await serve(large);
    const near = await connectWebSocket(server.url, { ...large, ...options });
    return inProcess(near, await server.accepted, { garbage: () => {}, kill: () => void server.kill() });
  },
  traits,
);

transportTests(
  "the server end of a WebSocket",
  async (options: EndsOptions): Promise<Ends> => {
    const server = await serve({ ...large, ...options });
    const far = await connectWebSocket(server.url, large);
    return inProcess(await server.accepted, far, { garbage: () => {} });
  },
  { ...traits, isKillable: false },
);

describe("a WebSocket without powers, as browsers have it", () => {
  const start = (
    transport: Transport,
    onMessage: (value: unknown) => void | Promise<void> = () => {},
  ): { received: unknown[]; malformed: Error[]; closed: Promise<Error> } => {
    const received: unknown[] = [];
    const malformed: Error[] = [];
    const closed = new Promise<Error>((resolve) => {
      transport.start({
        message: (value) => {
          received.push(value);
          return onMessage(value);
        },
        malformed: (error) => malformed.push(error),
        closed: resolve,
      });
    });
    return { received, malformed, closed };
  };

  it("sends what it took while it was connecting, and asks to wait for a slow peer", async () => {
    const server = await serve({ maxMessageBytes: 10_000_000 });
    const near = webSocketTransport(new WsSocket(server.url));
    onTestFinished(() => near.close());
    start(near);
    void near.send('"early"');
    const far = await server.accepted;
    const { received } = start(far);
    let room: void | Promise<void> = undefined;
    for (let i = 0; room === undefined; i += 1) room = near.send(JSON.stringify("x".repeat(100_000)));
    await room;
    await near.close();
    expect(received[0]).toBe("early");
  });

  it("closes when more messages wait for a busy listener than it keeps", async () => {
    const server = await serve();
    const near = webSocketTransport(new WsSocket(server.url), { maxQueuedMessages: 10 });
    const { closed } = start(near, () => new Promise(() => {}));
    const far = await server.accepted;
    const { closed: farClosed } = start(far);
    for (let i = 0; i < 20; i += 1) void far.send("1");
    expect(await closed).toMatchObject({ code: "overloaded" });
    expect(await farClosed).toMatchObject({ code: "overloaded", data: { reason: "overloaded" } });
  });

  it("reports a binary frame and bad JSON, and continues", async () => {
    const server = await serve();
    const raw = new WsSocket(server.url);
    onTestFinished(() => raw.terminate());
    const opened = once(raw, "open");
    const { received, malformed } = start(await server.accepted);
    await opened;
    raw.send(Buffer.from("{}"));
    raw.send("{nope");
    raw.send('"fine"');
    raw.close();
    await once(raw, "close");
    expect(malformed.map((error) => error.message)).toEqual([
      "expected a text frame, received a binary frame",
      expect.stringContaining("not JSON"),
    ]);
    expect(received).toEqual(["fine"]);
  });

  it("reads binary frames when readBinary is set", async () => {
    const server = await serve({ readBinary: true });
    const raw = new WsSocket(server.url);
    onTestFinished(() => raw.terminate());
    const opened = once(raw, "open");
    const { received, malformed } = start(await server.accepted);
    await opened;
    raw.send(Buffer.from('"grün 😀"'));
    raw.send(Buffer.from([0x22, 0xff, 0x22]));
    raw.close();
    await once(raw, "close");
    expect(received).toEqual(["grün 😀"]);
    expect(malformed.map((error) => error.message)).toEqual(["expected a text frame, received a binary frame"]);
  });

  it.each([
    ["reads", Buffer.from("1"), [2, 3]],
    ["ignores", "1", [2]],
  ] as const)("%s binary frames by what the first frame was, when readBinary is if-first", async (_, first, rest) => {
    const server = await serve({ readBinary: "if-first" });
    const raw = new WsSocket(server.url);
    onTestFinished(() => raw.terminate());
    const opened = once(raw, "open");
    const { received, malformed } = start(await server.accepted);
    await opened;
    raw.send(first);
    raw.send("2");
    raw.send(Buffer.from("3"));
    raw.close();
    await once(raw, "close");
    expect(received).toEqual([1, ...rest]);
    const skipped = {
      message: "expected a text frame, received a binary frame",
      data: { excerpt: "3", found: "binary" },
    };
    expect(malformed).toMatchObject(rest.length === 2 ? [] : [skipped]);
  });
});

it.each(["nonsense", "ftp://127.0.0.1"])("a dial of %s says what is wrong with it", async (url) => {
  await expect(connectWebSocket(url)).rejects.toMatchObject({
    code: "not_connected",
    message: expect.stringContaining(`cannot connect to ${url}: `) as string,
  });
});

it("a burst for a listener that is not there yet pauses the socket, and nothing is lost", async () => {
  const server = await serve();
  const near = await connectWebSocket(server.url, { maxQueuedMessages: 10 });
  onTestFinished(() => near.close());
  const far = await server.accepted;
  const count = 30_000;
  for (let i = 0; i < count; i += 1) void far.send("1");
  await new Promise((message) => {
    far.start({ message, malformed() {}, closed() {} });
    near.send("0");
  });
  let received = 0;
  await new Promise<void>((resolve) => {
    near.start({ message: () => void (++received === count && resolve()), malformed() {}, closed: () => resolve() });
  });
  expect(received).toBe(count);
});

it("a client that keeps the cookies of an upgrade returns them with the next one, beside its own", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => server.close());
  const seen: (string | undefined)[] = [];
  server.on("headers", (lines, request) => {
    seen.push(request.headers.cookie);
    lines.push("Set-Cookie: route=a; Path=/; HttpOnly", "Set-Cookie: theme=dark");
  });
  await once(server, "listening");
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cookies = new Map<string, string>();
  for (const headers of [{}, { Cookie: "theme=light" }])
    await (await connectWebSocket(url, { cookies, headers })).close();
  await (await connectWebSocket(url)).close();
  expect([...cookies]).toEqual([
    ["route", "a"],
    ["theme", "dark"],
  ]);
  expect(seen).toEqual([undefined, "route=a; theme=light", undefined]);
});

it("a listener can wait for the close that it asks for", async () => {
  const server = await serve();
  const near = await connectWebSocket(server.url, { closeTimeoutMs: 3_600_000 });
  const far = await server.accepted;
  far.start({ message: () => {}, malformed: () => {}, closed: () => {} });
  const closed = new Promise<Error>((resolve) =>
    near.start({ message: () => near.close(), malformed: () => {}, closed: resolve }),
  );
  void far.send("1");
  expect(await closed).toMatchObject({ code: "closed" });
});

describe("the upgrade handler", () => {
  const dial = (url: string, headers: Record<string, string> = {}): Promise<Transport> =>
    connectWebSocket(url, { headers, timeoutMs: 5_000 });

  it.each([
    ["a foreign Origin", {}, { origin: "https://evil.example" }, 403],
    ["a rebound Host", {}, { host: "evil.example" }, 403],
    ["a missing token", { token: "s3cret" }, {}, 401],
    ["a wrong token", { token: "s3cret" }, { authorization: "Bearer s3cre" }, 401],
  ])("refuses %s", async (_name, options, headers, status) => {
    const { url } = await serve(options);
    await expect(dial(url, headers as Record<string, string>)).rejects.toMatchObject({
      code: "not_connected",
      message: `cannot connect to ${url}: Unexpected server response: ${status}`,
      data: { status },
    });
  });

  it("admits the token, and a named Origin", async () => {
    const { url } = await serve({ token: "s3cret", origins: ["https://app.example"] });
    const near = await dial(url, { authorization: "Bearer s3cret", origin: "https://app.example" });
    await near.close();
  });

  it("leaves other paths to the caller, and serves a limited number of connections", async () => {
    const { url } = await serve({ path: "/sync", maxConnections: 1 });
    await expect(dial(`${url}/other`)).rejects.toThrow("404");
    const first = await dial(`${url}/sync?session_id=1`);
    onTestFinished(() => first.close());
    await expect(dial(`${url}/sync`)).rejects.toThrow("503");
  });

  it("closes a connection whose message is larger than allowed, and says so at both ends", async () => {
    const server = await serve({ maxMessageBytes: 1_000 });
    const near = await dial(server.url);
    const far = await server.accepted;
    const reasons = [near, far].map(
      (transport) => new Promise<Error>((closed) => transport.start({ message() {}, malformed() {}, closed })),
    );
    void near.send(JSON.stringify("x".repeat(2_000)));
    const [here] = await Promise.all(reasons);
    expect(here).toMatchObject({ code: "too_large" });
  });

  it.each(["//", "/\\[", "http://["])("turns the target %s away, which is not a URL", async (target) => {
    const { port } = await serve({ path: "/sync" });
    const socket = connectTcp(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`);
    const [head] = (await once(socket, "data")) as [Buffer];
    expect(head.toString()).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
  });

  it("survives a caller that it turns away and that is gone already", async () => {
    const upgrader = webSocketUpgrader(() => {}, { token: "s3cret" });
    const request = { headers: {}, url: "/" } as IncomingMessage;
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done(new Error("write ECONNRESET")) });
    const closed = new Promise((resolve) => socket.on("close", resolve));
    upgrader.upgrade(request, socket, Buffer.alloc(0));
    await closed; // an error that nobody listened for would have ended the process
    expect(socket.errored?.message).toBe("write ECONNRESET");
  });

  it("takes an upgrade in the tick in which it is made", async () => {
    const upgraders: { close(): Promise<void> }[] = [];
    const accepted = deferred<Transport>();
    const server = createServer().on("upgrade", (request, socket, head) => {
      const upgrader = webSocketUpgrader(accepted.resolve);
      upgraders.push(upgrader);
      upgrader.upgrade(request, socket, head);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(async () => {
      for (const upgrader of upgraders) await upgrader.close();
      server.close();
    });
    const far = await connectWebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const received = deferred<unknown>();
    far.start({ message: received.resolve, malformed: received.resolve, closed: received.resolve });
    (await accepted.promise).start({ message() {}, malformed() {}, closed() {} });
    (await accepted.promise).send('"hello"');
    expect(await received.promise).toBe("hello");
  });

  it("turns away whom its server refuses, behind the guard", async () => {
    const { url } = await serve({
      token: "s3cret",
      refuse: ({ url: path }) => (path === "/?id=1" ? undefined : "400 Bad Request"),
    });
    await expect(dial(url)).rejects.toThrow("401");
    const headers = { authorization: "Bearer s3cret" };
    await expect(dial(url, headers)).rejects.toThrow("400");
    await (await dial(`${url}/?id=1`, headers)).close();
  });

  it.each([
    ["until the next one", { pingMs: 50 }],
    ["in time", { pingMs: 50, pongMs: 10 }],
  ])("drops a peer that does not answer a ping %s", async (_name, options) => {
    const server = await serve(options);
    const socket = connectTcp(server.port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write(
      "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    );
    const far = await server.accepted;
    const reason = await new Promise<Error>((closed) => far.start({ message() {}, malformed() {}, closed }));
    expect(reason).toMatchObject({ code: "closed", message: "the connection broke: without a close" });
  });

  it("loses nothing that a server says together with its answer to the upgrade", async () => {
    const server = createServer();
    server.on("upgrade", ({ headers }, socket) => {
      const accept = createHash("sha1")
        .update(`${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
        .digest("base64");
      const answer = [
        "HTTP/1.1 101 Switching Protocols",
        "Upgrade: websocket",
        "Connection: Upgrade",
        `Sec-WebSocket-Accept: ${accept}`,
        "\r\n",
      ].join("\r\n");
      socket.write(Buffer.concat([Buffer.from(answer), Buffer.from([0x81, 1]), Buffer.from("1")]));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close().closeAllConnections());
    const near = await dial(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const first = await new Promise((message) => near.start({ message, malformed() {}, closed() {} }));
    expect(first).toBe(1);
  });

  it("names the URL of a server that is not there", async () => {
    const { url, kill } = await serve();
    await kill();
    await expect(connectWebSocket("ws://127.0.0.1:1/")).rejects.toMatchObject({
      code: "not_connected",
      message: expect.stringContaining("ws://127.0.0.1:1/") as string,
    });
    expect(url).toContain("ws://");
  });
});
