import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocket as WsSocket } from "ws";
import { type AcpAgent, type AcpClient, dialAcp as dialFromPage, isSessionNotFound } from "../src/index.js";
import { type AcpNodeDialOptions, type AcpListenOptions, dialAcp, listenAcp } from "../src/node.js";
import { textOf } from "./turns.js";

const cwd = "/work/project";

async function serve(agent: Partial<AcpAgent> = {}, options: AcpListenOptions = {}): Promise<string> {
  const listener = await listenAcp(
    {
      capabilities: { loadSession: true },
      replaysOnLoad: true,
      prompt: async (turn) => void turn.text(turn.promptText),
      ...agent,
    },
    options,
  );
  onTestFinished(() => listener.close());
  return listener.url.replace("http", "ws");
}

async function dial(url: string, options: AcpNodeDialOptions = {}): Promise<AcpClient> {
  const client = await dialAcp(url, options);
  onTestFinished(() => client.close());
  return client;
}

/** A promise and its `resolve`. */
function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

describe("an agent over WebSockets", () => {
  it("answers prompts", async () => {
    const url = await serve();
    const session = await (await dial(url)).newSession({ cwd });
    expect(await textOf(session.prompt("Hello"))).toBe("Hello|end_turn");
  });

  it("is reached with the WebSocket that the runtime has", async () => {
    if (!("WebSocket" in globalThis)) {
      vi.stubGlobal("WebSocket", WsSocket); // Node 20
      onTestFinished(() => void vi.unstubAllGlobals());
    }
    const client = await dialFromPage(await serve({}, { token: "grün s3cret" }), { token: "grün s3cret" });
    onTestFinished(() => client.close());
    expect(await textOf((await client.newSession({ cwd })).prompt("Hello"))).toBe("Hello|end_turn");
  });

  it("is reached by another function where the runtime has no WebSocket, which the error names", async () => {
    vi.stubGlobal("WebSocket", undefined);
    onTestFinished(() => void vi.unstubAllGlobals());
    await expect(dialFromPage("ws://127.0.0.1:1")).rejects.toThrow(
      new TypeError("dialAcp: expected a global WebSocket; without one, use dialAcp of @editwire/acp/node"),
    );
  });

  it("shares its sessions between connections", async () => {
    const url = await serve();
    const first = await dial(url);
    const { id: sessionId } = await first.newSession({ cwd });
    await first.close();
    const session = await (await dial(url)).loadSession({ sessionId, cwd });
    expect(await textOf(session.prompt("Hello again"))).toBe("Hello again|end_turn");
  });

  it("gives a session to the caller that opened it", async () => {
    const tokens: Readonly<Record<string, string>> = { "Bearer one": "ada", "Bearer two": "bob" };
    const callers: unknown[] = [];
    const url = await serve(
      { initialize: (_params, { caller }) => void callers.push(caller) },
      { authenticate: ({ headers }) => tokens[headers.get("authorization") ?? ""] },
    );
    const [ada, bob] = [await dial(url, { token: "one" }), await dial(url, { token: "two" })];
    const { id: sessionId } = await ada.newSession({ cwd });
    const found = await bob.loadSession({ sessionId, cwd }).catch((error: unknown) => error);
    expect(isSessionNotFound(found), String(found)).toBe(true);
    expect(callers).toEqual(["ada", "bob"]);
    await expect(dial(url, { token: "three" })).rejects.toThrow("401");
  });

  it("cancels the turns of a client that is gone", async () => {
    const [started, cancelled] = [deferred(), deferred()];
    const url = await serve({
      async prompt({ signal }) {
        started.resolve();
        await once(signal, "abort");
        cancelled.resolve();
      },
    });
    const client = await dial(url);
    const turn = (await client.newSession({ cwd })).prompt("Work");
    await started.promise;
    await client.close();
    await cancelled.promise;
    expect(await turn.stopReason).toBe("cancelled");
  });

  it("tells its clients when it closes", async () => {
    const listener = await listenAcp({ prompt: async () => {} });
    const url = listener.url.replace("http", "ws");
    const client = await dialAcp(url);
    await listener.close();
    expect(await client.closed).toMatchObject({ code: "closed", message: "closed by the other end" });
    await expect(dialAcp(url)).rejects.toMatchObject({ code: "not_connected" });
  });
});

describe("a listener for WebSockets", () => {
  it.each([
    ["a foreign Origin", { origin: "https://evil.example" }, 403],
    ["a rebound Host", { host: "evil.example" }, 403],
    ["no token", {}, 401],
    ["a wrong token", { authorization: "Bearer s3cre" }, 401],
  ])("refuses %s", async (_name, headers, status) => {
    const url = await serve({}, { token: "s3cret" });
    const options = { headers: headers as Record<string, string> };
    await expect(dial(url, options)).rejects.toThrow(`${url}/acp: Unexpected server response: ${status}`);
  });

  it("serves its path only, and answers every other request 404", async () => {
    const url = await serve({}, { path: "/agents/one" });
    await expect(dial(url)).rejects.toThrow("404");
    expect((await fetch(url.replace("ws", "http"))).status).toBe(404);
    await dial(`${url}/agents`, { path: "/one" });
    await dial(url, { path: "/agents/one" });
  });

  it("refuses more connections than it may have", async () => {
    const url = await serve({}, { maxConnections: 1 });
    const silent = new WsSocket(`${url}/acp`);
    await once(silent, "open");
    await dial(url); // takes the place of the one that has not sent `initialize`
    await expect(dial(url)).rejects.toThrow("503");
  });

  it("needs credentials where other machines reach it", async () => {
    const agent: AcpAgent = { prompt: async () => {} };
    await expect(listenAcp(agent, { host: "0.0.0.0" })).rejects.toThrow(
      "listenAcp: expected a token or authenticate: other machines can reach 0.0.0.0",
    );
    const listener = await listenAcp(agent, { host: "0.0.0.0", authenticate: () => undefined });
    await listener.close();
  });

  it("closes while a caller waits for its identification", async () => {
    const asked = deferred();
    const listener = await listenAcp(
      { prompt: async () => {} },
      {
        authenticate() {
          asked.resolve();
          return new Promise(() => {});
        },
      },
    );
    const refused = expect(dialAcp(listener.url.replace("http", "ws"))).rejects.toMatchObject({
      code: "not_connected",
    });
    await asked.promise;
    await listener.close();
    await refused;
  });

  it("closes while a caller of another path keeps its end open", async () => {
    const listener = await listenAcp({ prompt: async () => {} });
    const socket = connectTcp({ port: listener.port, host: "127.0.0.1", allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    socket.write("GET /other HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
    const [head] = (await once(socket, "data")) as [Buffer];
    expect(head.toString()).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
    await listener.close();
  });
});

it.each(["nonsense", "ftp://127.0.0.1"])("a dial of %s says which URLs there are", async (url) => {
  const message = `expected an http, https, ws or wss URL, received "${url}"`;
  await expect(dialAcp(url)).rejects.toThrow(message);
  await expect(dialFromPage(url)).rejects.toThrow(message);
});
