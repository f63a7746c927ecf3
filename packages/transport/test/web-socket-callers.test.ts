import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect as connectTcp } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocket as WsSocket } from "ws";
import { connectGlobalWebSocket as dialWithGlobal, type Transport } from "../src/index.js";
import { connectWebSocket, webSocketUpgrader, type WebSocketServerOptions } from "../src/node.js";
import { deferred } from "./near-end.js";

/** Serves WebSockets, and lists the callers that connected. */
async function serve(options: WebSocketServerOptions) {
  const callers: (string | undefined)[] = [];
  const upgrader = webSocketUpgrader((transport, _request, caller) => {
    callers.push(caller);
    transport.start({ message: (value) => transport.send(JSON.stringify(value)), malformed() {}, closed() {} });
  }, options);
  const server = createServer().on("upgrade", (request, socket, head) => upgrader.upgrade(request, socket, head));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(async () => {
    await upgrader.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `ws://127.0.0.1:${port}`, port, callers, close: () => upgrader.close() };
}

const dial = (url: string, token: string): Promise<Transport> =>
  connectWebSocket(url, { headers: { authorization: `Bearer ${token}` } });

const upgradeText =
  "GET /a?b=1 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

describe("the callers of a WebSocket server", () => {
  it("are identified before the upgrade is answered, and named to the connection", async () => {
    const asked: unknown[] = [];
    const { url, callers } = await serve({
      authenticate: async ({ headers, path }) => {
        asked.push([headers.get("Authorization"), path]);
        await Promise.resolve();
        return headers.get("authorization") === "Bearer one" ? "ada" : undefined;
      },
    });
    const near = await dial(`${url}/sync?id=1`, "one");
    await near.close();
    await expect(dial(url, "two")).rejects.toThrow("401");
    expect(asked).toEqual([
      ["Bearer one", "/sync?id=1"],
      ["Bearer two", "/"],
    ]);
    expect(callers).toEqual(["ada"]);
  });

  it("get no text of what authenticate throws", async () => {
    const { port, callers } = await serve({
      authenticate: () => Promise.reject(new Error("the database is at 10.0.0.1")),
    });
    const socket = connectTcp(port, "127.0.0.1").setEncoding("latin1");
    let answer = "";
    socket.on("data", (part: string) => (answer += part)).write(upgradeText);
    await once(socket, "close");
    expect(answer).toBe("HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    expect(callers).toEqual([]);
  });

  it("are refused when authenticate takes too long", async () => {
    const { url } = await serve({ authenticate: () => new Promise(() => {}), authenticateTimeoutMs: 20 });
    await expect(dial(url, "one")).rejects.toThrow("503");
  });

  it("count as connections while they are identified", async () => {
    const asked = deferred();
    const answer = deferred<string>();
    const { url, callers } = await serve({
      maxConnections: 1,
      authenticate() {
        asked.resolve();
        return answer.promise;
      },
    });
    const first = dial(url, "one");
    await asked.promise;
    await expect(dial(url, "two")).rejects.toThrow("503");
    answer.resolve("ada");
    await (await first).close();
    expect(callers).toEqual(["ada"]);
  });

  it("take the slots of those whose first message does not open them, the oldest one first", async () => {
    const { url } = await serve({ maxConnections: 2, opens: (message) => message === "open" });
    const closed: string[] = [];
    const enter = async (name: string, first?: string): Promise<void> => {
      const socket = new WsSocket(url);
      await once(socket, "open");
      socket.on("close", () => closed.push(name));
      if (first === undefined) return;
      socket.send(first);
      await once(socket, "message"); // its echo
    };
    await enter("silent");
    await enter("other", '"hello"');
    await enter("first", '"open"');
    await vi.waitFor(() => expect(closed).toEqual(["silent"]));
    await enter("second", '"open"');
    await vi.waitFor(() => expect(closed).toEqual(["silent", "other"]));
    await expect(enter("third")).rejects.toThrow("503");
    expect(closed).toEqual(["silent", "other"]);
  });

  it("may leave while they are identified", async () => {
    const asked = deferred();
    const answer = deferred<string>();
    const { url, port, callers } = await serve({
      authenticate({ headers }) {
        if (headers.get("authorization") === "Bearer one") return "ada";
        asked.resolve();
        return answer.promise;
      },
    });
    const socket = connectTcp(port, "127.0.0.1");
    socket.write(upgradeText);
    await asked.promise;
    socket.resetAndDestroy();
    await once(socket, "close");
    const near = await dial(url, "one");
    answer.resolve("bob");
    await near.close();
    expect(callers[0]).toBe("ada");
  });

  it("are let go when the server closes while it identifies them", async () => {
    const asked = deferred();
    const { url, close } = await serve({
      authenticate() {
        asked.resolve();
        return new Promise(() => {});
      },
    });
    const refused = expect(dial(url, "one")).rejects.toThrow("socket hang up");
    await asked.promise;
    await close();
    await refused;
  });

  it("do not keep a connection that is refused", async () => {
    const { port } = await serve({ token: "s3cret" });
    const socket = connectTcp({ port, host: "127.0.0.1", allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    socket.write(upgradeText);
    socket.resume();
    await once(socket, "end");
    const failed = new Promise((resolve) => socket.on("error", resolve));
    const more = setInterval(() => socket.write("x"), 5); // to a socket that is closed whole, this fails
    onTestFinished(() => clearInterval(more));
    expect(await failed).toMatchObject({ code: expect.stringMatching(/EPIPE|ECONNRESET/) as string });
  });
});

describe("a token as a subprotocol", () => {
  const base64url = (token: string): string => Buffer.from(token).toString("base64url");

  it("is taken, and only editwire.v1 is answered", async () => {
    const token = "grün/+?~ s3cret";
    const { url } = await serve({ token });
    const socket = new WsSocket(url, ["editwire.v1", `bearer.${base64url(token)}`]);
    let answered: unknown;
    socket.on("upgrade", ({ headers }) => (answered = headers["sec-websocket-protocol"]));
    await once(socket, "open");
    expect(answered).toBe("editwire.v1");
    socket.terminate();
  });

  it.each([
    ["another token", `editwire.v1, bearer.${base64url("s3cre")}`],
    ["no base64", "editwire.v1, bearer.****"],
    ["no UTF-8", "editwire.v1, bearer._w"],
    ["an empty token", "editwire.v1, bearer."],
    ["no token", "editwire.v1"],
    ["the bare token", "editwire.v1, s3cret"],
  ])("is refused for %s", async (_name, offered) => {
    const { url } = await serve({ token: "s3cret" });
    await expect(connectWebSocket(url, { headers: { "sec-websocket-protocol": offered } })).rejects.toThrow("401");
  });

  it("is not answered where it is the only one", async () => {
    const { port } = await serve({ token: "s3cret" });
    const socket = connectTcp(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    const header = `Sec-WebSocket-Protocol: bearer.${base64url("s3cret")}`;
    socket.write(upgradeText.replace("\r\n\r\n", `\r\n${header}\r\n\r\n`));
    const [head] = (await once(socket, "data")) as [Buffer];
    expect(head.toString()).toMatch(/^HTTP\/1\.1 101 /);
    expect(head.toString()).not.toMatch(/sec-websocket-protocol/i);
  });

  it("is shown to authenticate as a bearer token, before an Authorization header", async () => {
    const { url, callers } = await serve({ authenticate: ({ headers }) => headers.get("authorization") ?? undefined });
    const offered = ["editwire.v1", `bearer.${base64url("one")}`];
    const socket = new WsSocket(url, offered, { headers: { authorization: "Basic YTpi" } });
    await once(socket, "open");
    socket.terminate();
    expect(callers).toEqual(["Bearer one"]);
  });
});

describe("a dial with the global WebSocket", () => {
  beforeAll(() => {
    if (!("WebSocket" in globalThis)) vi.stubGlobal("WebSocket", WsSocket); // Node 20; acp's tests dial from a browser
  });
  afterAll(() => void vi.unstubAllGlobals());

  it("sends its token, and messages both ways", async () => {
    const { url } = await serve({ token: "s3cret" });
    const near = await dialWithGlobal(url, { token: "s3cret" });
    const answer = new Promise((message) => near.start({ message, malformed() {}, closed() {} }));
    void near.send('{"a":1}');
    expect(await answer).toEqual({ a: 1 });
    await near.close();
  });

  it.each(["ws://127.0.0.1:1/", "nonsense://"])("of %s says what it could not reach", async (url) => {
    await expect(dialWithGlobal(url)).rejects.toMatchObject({
      code: "not_connected",
      message: expect.stringContaining(`cannot connect to ${url}: `) as string,
    });
  });

  it("says where to find another one when there is none", async () => {
    const { WebSocket: present } = globalThis;
    vi.stubGlobal("WebSocket", undefined);
    onTestFinished(() => void vi.stubGlobal("WebSocket", present));
    await expect(dialWithGlobal("ws://127.0.0.1:1/")).rejects.toThrow("without one, use @editwire/transport/node");
  });

  it("of a server that refuses it fails", async () => {
    const { url } = await serve({ token: "s3cret" });
    await expect(dialWithGlobal(url, { token: "other" })).rejects.toMatchObject({ code: "not_connected" });
  });

  it("of a server that does not answer fails in time", async () => {
    const { url } = await serve({ authenticate: () => new Promise(() => {}) });
    await expect(dialWithGlobal(url, { timeoutMs: 20 })).rejects.toThrow("no answer within 20 ms");
  });
});
