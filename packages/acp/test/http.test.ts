import { once } from "node:events";
import { createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isWireError } from "@editwire/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { acpHandler, type AcpListenOptions, listenAcp } from "../src/node.js";
import { type AcpClient, type AcpAgent, type AcpDialOptions, dialAcp, type AcpTurnEvent } from "../src/index.js";
import { httpPeer } from "./http-peer.js";

const cwd = "/work/project";
const hello = [{ type: "text", text: "Hello ACP" }];
const message = (fields: object): object => ({ jsonrpc: "2.0", ...fields });
const initialize = message({ id: 1, method: "initialize", params: { protocolVersion: 1 } });
const newSession = message({ id: 2, method: "session/new", params: { cwd, mcpServers: [] } });

/** Serves an agent on this machine until the test is over. */
async function serve(agent: Partial<AcpAgent> = {}, options: AcpListenOptions = {}): Promise<string> {
  const listener = await listenAcp(
    {
      capabilities: { loadSession: true },
      replaysOnLoad: true,
      prompt: async (turn) => void turn.text(turn.promptText),
      ...agent,
    },
    { paths: "spec", closeTimeoutMs: 20, ...options },
  );
  onTestFinished(() => listener.close());
  return listener.url;
}

async function connect(url: string, options: AcpDialOptions = {}): Promise<AcpClient> {
  const agent = await dialAcp(url, { paths: "spec", closeTimeoutMs: 100, ...options });
  onTestFinished(() => agent.close());
  return agent;
}

async function textOf(turn: AsyncIterable<AcpTurnEvent>): Promise<string> {
  let said = "";
  for await (const event of turn)
    said += event.type === "text" ? event.text : event.type === "stop" ? `|${event.stopReason}` : "";
  return said;
}

/** A promise and its `resolve`. */
function deferred<T = void>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((done) => (resolve = done));
  return { promise, resolve };
}

/** A turn that lasts until it is cancelled, and the updates that a client receives. */
function endlessTurn() {
  const started = deferred();
  const cancelled = deferred();
  const prompt: AcpAgent["prompt"] = async ({ signal }) => {
    started.resolve();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    cancelled.resolve();
  };
  return { started: started.promise, cancelled: cancelled.promise, prompt };
}

describe("an agent over HTTP", () => {
  it("S35: takes a POST with nothing but a status, and answers on the client's event stream", async () => {
    const url = await serve();
    const client = httpPeer(url, "a");
    const stream = await client.open();
    expect(await client.post(initialize)).toMatchObject({ status: 202, text: "" });
    const answer = await stream.until(({ id }) => id === 1);
    expect(answer).toMatchObject({ jsonrpc: "2.0", result: { protocolVersion: 1 } });
    expect(stream.text).toMatch(/^data: \{.*\}$/m);
    expect((await fetch(`${url}/acp/rpc`, { method: "POST", body: JSON.stringify(initialize) })).status).toBe(400);
  });

  it("S36: delivers what it answered before the event stream was opened", async () => {
    const client = httpPeer(await serve(), "a");
    for (const request of [initialize, newSession]) await client.post(request);
    const stream = await client.open();
    await stream.until(({ id }) => id === 2);
    expect(stream.received.map(({ id }) => id)).toEqual([1, 2]);
  });

  it("S37: answers a notification 202, a response 204, what is not a message 400, and another method 405", async () => {
    const url = await serve();
    const client = httpPeer(url, "a");
    const statuses: number[] = [];
    const bodies = [
      message({ method: "session/cancel", params: { sessionId: "s" } }),
      message({ id: 7, result: {} }),
      "{oops",
      "",
      [initialize],
      { id: 1, method: "x" },
      '"text"',
      "null",
    ];
    for (const body of bodies) statuses.push((await client.post(body)).status);
    expect(statuses).toEqual([202, 204, 400, 400, 400, 400, 400, 400]);
    for (const method of ["GET", "PUT", "PATCH", "DELETE", "HEAD"])
      expect((await fetch(`${url}/acp/rpc?client_id=a`, { method })).status).toBe(405);
  });

  it("S37: takes the answer to a permission request by POST", async () => {
    const client = httpPeer(
      await serve({
        prompt: async (turn) => {
          const { allowed } = await turn.requestPermission(await turn.toolCall({ title: "Delete", kind: "delete" }));
          await turn.text(allowed ? "deleted" : "kept");
        },
      }),
      "a",
    );
    const stream = await client.open();
    for (const request of [initialize, newSession]) await client.post(request);
    const { result } = await stream.until(({ id }) => id === 2);
    await client.post(message({ id: 3, method: "session/prompt", params: { ...(result as object), prompt: hello } }));
    const { id } = await stream.until(({ method }) => method === "session/request_permission");
    expect(
      (await client.post(message({ id, result: { outcome: { outcome: "selected", optionId: "allow_once" } } }))).status,
    ).toBe(204);
    expect((await stream.until((answer) => answer.id === 3)).result).toEqual({ stopReason: "end_turn" });
    expect(stream.text).toContain("deleted");
  });

  it("S38: begins the event stream at once, and keeps it alive with a comment every 5 seconds", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const server = acpHandler({ prompt: async () => {} }, { paths: "spec" });
    const response = await server.fetch(
      new Request("http://localhost/acp/sse?client_id=a", { headers: { host: "localhost" } }),
    );
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe(": connected\n\n");
    const next = reader?.read();
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await next)?.value).toBe(": ping\n\n");
  });

  it("S39: keeps the answers to two clients apart", async () => {
    const url = await serve();
    const clients = [httpPeer(url, "a"), httpPeer(url, "b")] as const;
    const streams = await Promise.all(clients.map((client) => client.open()));
    await Promise.all(
      clients.map((client, i) =>
        client.post(message({ id: `of ${i}`, method: "authenticate", params: { methodId: "m" } })),
      ),
    );
    await Promise.all(streams.map((stream, i) => stream.until(({ id }) => id === `of ${i}`)));
    expect(streams.map(({ received }) => received.length)).toEqual([1, 1]);
  });

  it("S40: gives the newest event stream of a client what comes, and ends the older one", async () => {
    const client = httpPeer(await serve(), "a");
    const older = await client.open();
    const newer = await client.open();
    await older.ended;
    await client.post(initialize);
    await newer.until(({ id }) => id === 1);
    expect(older.received).toEqual([]);
  });
});

describe("a client over HTTP", () => {
  /** An agent by hand: `speak` writes events to the client's stream whenever a POST came. */
  async function byHand(
    speak: (posted: { id: number; method: string }, stream: ServerResponse) => void,
  ): Promise<{ url: string; log: string[] }> {
    const log: string[] = [];
    let stream: ServerResponse | undefined;
    const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
      log.push(`${request.method} ${pathname} ${searchParams.get("client_id")}`);
      if (request.method === "GET") {
        stream = response.writeHead(200, { "content-type": "text/event-stream" });
        stream.write(": connected\n\n");
        return;
      }
      let body = "";
      for await (const part of request.setEncoding("utf8")) body += part;
      response.writeHead(202).end();
      if (stream !== undefined) speak(JSON.parse(body) as { id: number; method: string }, stream);
    };
    const server = createServer((request, response) => void handle(request, response)).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, log };
  }

  it("S46: opens its stream, POSTs with the same id, reads data of many lines, and matches answers by id", async () => {
    const waiting: number[] = [];
    const { url, log } = await byHand(({ id, method }, stream) => {
      const answer = (to: number, result: object): void =>
        void stream.write(
          `: a comment\n\ndata: {"jsonrpc":"2.0",\ndata: "id":${to},\r\ndata:"result":${JSON.stringify(result)}}\n\n`,
        );
      if (method === "initialize") return answer(id, { protocolVersion: 1, agentCapabilities: {}, authMethods: [] });
      waiting.push(id);
      if (waiting.length === 2) for (const to of waiting.reverse()) answer(to, { sessionId: `answer to ${to}` });
    });
    const agent = await connect(url, { clientId: "editor 1" });
    const sessions = await Promise.all([agent.newSession({ cwd }), agent.newSession({ cwd })]);
    expect(log).toEqual(["GET /acp/sse editor 1", ...Array(3).fill("POST /acp/rpc editor 1")]);
    expect(sessions.map(({ id }) => id)).toEqual([...waiting].reverse().map((id) => `answer to ${id}`));
  });

  it("writes the dialect of the specification, whose paths these are", async () => {
    const sent: string[] = [];
    const { url } = await byHand(({ id, method }, stream) => {
      const result = method === "initialize" ? { protocolVersion: 1, agentCapabilities: {} } : { sessionId: "s" };
      stream.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
    });
    const onWire: AcpDialOptions["onWire"] = (_direction, message) => void sent.push(JSON.stringify(message));
    const client = await dialAcp(url, { paths: "spec", onWire });
    onTestFinished(() => client.close());
    await client.newSession({ cwd: "/", mcpServers: [{ type: "stdio", name: "n", command: "c", args: [], env: [] }] });
    expect(sent.find((message) => message.includes("mcpServers"))).toContain('"type":"stdio"');
  });

  it("makes an id of its own, and finds an agent below a path", async () => {
    const { url, log } = await byHand(({ id }, stream) =>
      stream.write(`data: ${JSON.stringify(message({ id, result: { protocolVersion: 1 } }))}\n\n`),
    );
    for (const base of [`${url}/agents/1/`, `${url}/agents/1?tenant=a`]) await connect(base);
    expect(log).toEqual(
      Array(2)
        .fill([
          expect.stringMatching(/^GET \/agents\/1\/acp\/sse [\da-f-]{36}$/),
          expect.stringMatching(/^POST \/agents\/1\/acp\/rpc [\da-f-]{36}$/),
        ])
        .flat(),
    );
    expect(new Set(log.map((line) => line.split(" ")[2])).size).toBe(2);
  });

  it.each(["localhost:9000", "ftp://localhost", "/acp", ""])("refuses the URL %j", async (url) => {
    await expect(dialAcp(url, { paths: "spec" })).rejects.toThrow(
      new TypeError(`dialAcp: expected an http, https, ws or wss URL, received "${url}"`),
    );
  });

  it("says why it was not let in", async () => {
    const url = await serve({}, { token: "right" });
    const refused = await dialAcp(url, { paths: "spec", token: "wrong" }).catch((error: unknown) => error);
    expect(isWireError(refused, "closed")).toBe(true);
    expect(String(refused)).toContain("the server answered 401 a bearer token is required");
  });
});

describe("our client and our agent over HTTP", () => {
  it("prompt, stream, ask for permission and cancel, behind a token", async () => {
    const url = await serve(
      {
        prompt: async (turn) => {
          const { allowed } = await turn.requestPermission(await turn.toolCall({ title: "Delete", kind: "delete" }));
          await turn.text(allowed ? "deleted" : "kept");
          if (turn.promptText === "wait")
            await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
        },
      },
      { token: "t" },
    );
    const agent = await connect(url, { token: "t", permission: async () => "allow_once" });
    const session = await agent.newSession({ cwd });
    expect(await textOf(session.prompt("go"))).toBe("deleted|end_turn");
    const turn = session.prompt("wait");
    let last = "";
    for await (const event of turn) {
      if (event.type === "text") void turn.cancel();
      if (event.type === "stop") last = event.stopReason;
    }
    expect(last).toBe("cancelled");
  });

  it("lose only the request whose POST is refused", async () => {
    const agent = await connect(await serve({}, { maxBodyBytes: 1_000 }));
    const session = await agent.newSession({ cwd });
    await expect(session.prompt("x".repeat(2_000)).stopReason).rejects.toMatchObject({
      code: -32603,
      data: { status: 413 },
    });
    expect(await textOf(session.prompt("Hello"))).toBe("Hello|end_turn");
  });

  it("keep 2,000 updates in order and before their turn's end", async () => {
    const url = await serve({
      prompt: async (turn) => {
        for (let i = 0; i < 2_000; i += 1) await turn.text(`${i},`);
      },
    });
    const session = await (await connect(url)).newSession({ cwd });
    expect(await textOf(session.prompt("go"))).toBe(
      `${Array.from({ length: 2_000 }, (_, i) => `${i},`).join("")}|end_turn`,
    );
  });
});

describe("sessions that clients share", () => {
  it("show their updates to the client that made them, and answer the one that prompts", async () => {
    const url = await serve();
    const updates: string[] = [];
    const owner = await connect(url, { onUpdate: (event) => event.type === "text" && updates.push(event.text) });
    const { id } = await owner.newSession({ cwd });
    const other = await connect(url);
    const { stopReason } = await other.connection.request("session/prompt", {
      sessionId: id,
      prompt: [{ type: "text", text: "from another" }],
    });
    await owner.authenticate("fence");
    expect([stopReason, updates]).toEqual(["end_turn", ["from another"]]);
  });

  it("move with their history to the client that loads them", async () => {
    const url = await serve();
    const made = await (await connect(url)).newSession({ cwd });
    await textOf(made.prompt("first"));
    const loaded = await (await connect(url)).loadSession({ sessionId: made.id, cwd });
    expect(loaded.history.map(({ type }) => type)).toEqual(["user", "text"]);
    expect(await textOf(loaded.prompt("second"))).toBe("second|end_turn");
    expect(await textOf(made.prompt("third"))).toBe("|end_turn");
  });

  it("become those of the client that uses them once their own is gone", async () => {
    const url = await serve();
    const owner = await connect(url);
    const { id } = await owner.newSession({ cwd });
    await owner.close();
    const updates: string[] = [];
    const other = await connect(url, {
      onDiagnostic: ({ id: kind, message: text }) => void (kind !== "dialect" && updates.push(text)),
    });
    await other.connection.request("session/prompt", { sessionId: id, prompt: [{ type: "text", text: "Hi" }] });
    expect(updates).toEqual([`1 message for the unknown session ${id} dropped`]);
  });

  it("are forgotten, the longest unused first, beyond their number", async () => {
    const agent = await connect(await serve({}, { maxSessions: 2 }));
    const [first, second] = [await agent.newSession({ cwd }), await agent.newSession({ cwd })];
    await textOf(first.prompt("still in use"));
    const third = await agent.newSession({ cwd });
    await expect(textOf(second.prompt("gone"))).rejects.toMatchObject({ code: -32602 });
    for (const session of [first, third]) expect(await textOf(session.prompt("here"))).toBe("here|end_turn");
  });
});

describe("a client that goes away in the middle of a turn", () => {
  it("with a goodbye has the turn cancelled at once", async () => {
    const { started, cancelled, prompt } = endlessTurn();
    const agent = await connect(await serve({ prompt }));
    const turn = (await agent.newSession({ cwd })).prompt("go");
    await started;
    await agent.close();
    await cancelled;
    expect(await turn.stopReason).toBe("cancelled");
  });

  it("without one has it cancelled after the idle time; the session stays, with all that was said", async () => {
    const { started, cancelled, prompt } = endlessTurn();
    const url = await serve({ prompt }, { idleMs: 30 });
    const peer = httpPeer(url, "a");
    const stream = await peer.open();
    await peer.post(newSession);
    const { sessionId } = (await stream.until(({ id }) => id === 2)).result as { sessionId: string };
    await peer.post(message({ id: 3, method: "session/prompt", params: { sessionId, prompt: hello } }));
    await started;
    stream.abort();
    await cancelled;
    const session = await (await connect(url)).loadSession({ sessionId, cwd });
    expect(session.history).toEqual([expect.objectContaining({ type: "user", content: hello[0] })]);
  });

  it("P15: and comes back in time has missed nothing", async () => {
    const reconnect = deferred();
    const url = await serve({
      prompt: async (turn) => {
        await reconnect.promise;
        await turn.text("said meanwhile");
      },
    });
    const peer = httpPeer(url, "a");
    const stream = await peer.open();
    await peer.post(newSession);
    const { sessionId } = (await stream.until(({ id }) => id === 2)).result as { sessionId: string };
    await peer.post(message({ id: 3, method: "session/prompt", params: { sessionId, prompt: hello } }));
    stream.abort();
    reconnect.resolve();
    const again = await peer.open(stream.lastEventId);
    await again.until(({ id }) => id === 3);
    expect(again.text).toContain("said meanwhile");
  });

  it("P15: while a permission is asked for has nothing allowed", async () => {
    const answered = deferred<string>();
    const url = await serve({
      prompt: async (turn) => answered.resolve((await turn.requestPermission({ toolCallId: "t" })).outcome),
    });
    const asked = deferred();
    const agent = await connect(url, {
      permission: async () => {
        asked.resolve();
        return new Promise(() => {});
      },
    });
    void (await agent.newSession({ cwd })).prompt("go");
    await asked.promise;
    await agent.close();
    expect(await answered.promise).toBe("cancelled");
  });
});

describe("a listener", () => {
  it.each(["0.0.0.0", "::", "192.0.2.1"])(
    "does not offer an agent to other machines at %s without a token",
    async (host) => {
      await expect(listenAcp({ prompt: async () => {} }, { paths: "spec", host })).rejects.toThrow(
        new TypeError(`listenAcp: expected a token or authenticate: other machines can reach ${host}`),
      );
    },
  );

  it.each(["0.0.0.0", "127.0.0.1"])("takes no empty token for a secret, at %s", async (host) => {
    await expect(listenAcp({ prompt: async () => {} }, { paths: "spec", host, token: "" })).rejects.toThrow(
      new TypeError('listenAcp: expected token to be a string that is not empty, received the string ""'),
    );
  });

  it("is addressed by any name on all addresses, with its token", async () => {
    const url = (await serve({}, { host: "0.0.0.0", token: "s3cret" })).replace("0.0.0.0", "127.0.0.1");
    const ask = async (authorization: string): Promise<number | undefined> => {
      const asked = get(`${url}/elsewhere`, { headers: { host: "agents.example", authorization } });
      const [{ statusCode }] = (await once(asked, "response")) as [IncomingMessage];
      asked.destroy();
      return statusCode;
    };
    expect(await ask("Bearer s3cret")).toBe(404);
    expect(await ask("Bearer other")).toBe(401);
  });

  it("is addressed by its host, a loopback name, or the hosts that are named", async () => {
    const url = await serve({}, { host: "localhost", hosts: ["agents.example"] });
    await expect(dialAcp(url, { paths: "spec" })).rejects.toThrow("403 this Host is not served here");
    const open = await serve({}, { host: "0.0.0.0", token: "t" });
    await connect(open.replace("0.0.0.0", "127.0.0.1"), { token: "t" });
  });

  it("that closes tells its clients", async () => {
    const listener = await listenAcp({ prompt: async () => {} }, { paths: "spec" });
    const agent = await connect(listener.url);
    await listener.close();
    expect(isWireError(await agent.closed, "closed")).toBe(true);
  });
});
