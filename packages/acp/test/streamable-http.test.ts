import { expect, describe, it, onTestFinished } from "vitest";
import { type AcpHandlerOptions, acpHandler } from "../src/node.js";
import type { AcpAgent } from "../src/index.js";
import { type HttpStream, httpStream } from "./http-peer.js";
import type { Message } from "../../peer/test/raw-peer.js";
import { soon } from "../../../scripts/testing/soon.js";

const message = (fields: object): object => ({ jsonrpc: "2.0", ...fields });
const initialize = message({ id: 0, method: "initialize", params: { protocolVersion: 1 } });
const newSession = message({ id: 1, method: "session/new", params: { cwd: "/work", mcpServers: [] } });
const prompt = (id: number, sessionId: string, text = "Hello"): object =>
  message({ id, method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text }] } });

type Headers = Readonly<Record<string, string>>;
const json: Headers = { "content-type": "application/json" };
const events: Headers = { accept: "text/event-stream" };

/** A client on the raw wire of a handler. */
function serve(options: AcpHandlerOptions = {}, agent: Partial<AcpAgent> = {}) {
  const handler = acpHandler(
    { prompt: async (turn) => void turn.text(turn.promptText), ...agent },
    { closeTimeoutMs: 20, ...options },
  );
  onTestFinished(() => handler.close());
  const ask = (method: string, headers: Headers = {}, body?: unknown, path = "/acp"): Promise<Response> => {
    const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
    const init = { method, headers: { host: "localhost", ...headers }, ...(text === undefined ? {} : { body: text }) };
    return handler.fetch(new Request(`http://localhost${path}`, init));
  };
  return {
    ask,
    handler,
    statusOf: async (...request: Parameters<typeof ask>) => (await ask(...request)).status,
    /** Initializes, and gives the header of the connection. */
    async connect(headers: Headers = {}): Promise<Headers> {
      const answer = await ask("POST", { ...json, ...headers }, initialize);
      return { ...headers, "acp-connection-id": answer.headers.get("acp-connection-id") ?? "" };
    },
    async open(headers: Headers): Promise<HttpStream> {
      const { body } = await ask("GET", { ...events, ...headers });
      const controller = new AbortController();
      const connection = new TransformStream<Uint8Array, Uint8Array>();
      return httpStream(new Response(body?.pipeThrough(connection, { signal: controller.signal })), controller);
    },
  };
}

type Server = ReturnType<typeof serve>;

async function sessionOf(server: Server, connection: Headers, stream: HttpStream): Promise<string> {
  await server.ask("POST", { ...json, ...connection }, newSession);
  const { result } = await stream.until(({ id }) => id === 1);
  return (result as { sessionId: string }).sessionId;
}

describe("an agent over Streamable HTTP", () => {
  it("V44: answers initialize in its POST with the id of the connection, and other POSTs 202", async () => {
    const server = serve();
    const answer = await server.ask("POST", json, initialize);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(await answer.json()).toMatchObject({ jsonrpc: "2.0", id: 0, result: { protocolVersion: 1 } });
    const connection = { "acp-connection-id": answer.headers.get("acp-connection-id") ?? "" };
    const taken = await server.ask("POST", { ...json, ...connection }, newSession);
    expect([taken.status, await taken.text()]).toEqual([202, ""]);
  });

  it("V44: refuses what it cannot take with the statuses of the protocol", async () => {
    const { statusOf, connect } = serve();
    const connection = await connect();
    const unknown = { "acp-connection-id": "unknown" };
    const session = { "acp-session-id": "s1" };
    expect({
      type: await statusOf("POST", {}, initialize),
      accept: await statusOf("GET", connection),
      json: await statusOf("POST", { ...json, ...connection }, "{"),
      notJsonRpc: await statusOf("POST", { ...json, ...connection }, { method: "x" }),
      method: await statusOf("PUT"),
      path: await statusOf("POST", json, initialize, "/other"),
      again: await statusOf("POST", { ...json, ...connection }, initialize),
      missing: [await statusOf("POST", json, newSession), await statusOf("GET", events), await statusOf("DELETE")],
      unknown: [
        await statusOf("POST", { ...json, ...unknown }, newSession),
        await statusOf("GET", { ...events, ...unknown }),
        await statusOf("DELETE", unknown),
      ],
      sessionless: await statusOf("POST", { ...json, ...connection }, prompt(2, "s1")),
      mismatched: await statusOf("POST", { ...json, ...connection, ...session }, prompt(2, "s2")),
      long: await statusOf("GET", { ...events, ...connection, "acp-session-id": "s".repeat(1025) }),
    }).toEqual({
      type: 415,
      accept: 406,
      json: 400,
      notJsonRpc: 400,
      method: 405,
      path: 404,
      again: 400,
      missing: [400, 400, 400],
      unknown: [404, 404, 404],
      sessionless: 400,
      mismatched: 400,
      long: 400,
    });
  });

  it("V44: answers a batch with one error", async () => {
    const { ask } = serve();
    const answer = await ask("POST", json, [initialize, newSession]);
    expect([answer.status, await answer.json()]).toMatchObject([400, { id: null, error: { code: -32600 } }]);
  });

  it("V44: keeps the messages of a session on its stream, and those that come early", async () => {
    const server = serve();
    const connection = await server.connect();
    const own = await server.open(connection);
    const sessionId = await sessionOf(server, connection, own);
    const session = { ...connection, "acp-session-id": sessionId };
    expect(await server.statusOf("POST", { ...json, ...session }, prompt(2, sessionId))).toBe(202);
    const stream = await server.open(session);
    await stream.until(({ id }) => id === 2);
    const seen = (from: HttpStream): unknown[] => from.received.map(({ method, id }: Message) => method ?? id);
    expect([seen(own), seen(stream)]).toEqual([[1], ["session/update", 2]]);
  });

  it.each([
    { answered: "with its session", strict: true, named: true },
    { answered: "without one, as the Python SDK's client does", strict: false, named: false },
  ])("V44: takes the answer to a permission request $answered, and not with another", async ({ strict, named }) => {
    const server = serve(
      { strict },
      {
        async prompt(turn) {
          const call = await turn.toolCall({ title: "Delete", kind: "delete" });
          await turn.text((await turn.requestPermission(call)).allowed ? "deleted" : "kept");
        },
      },
    );
    const connection = await server.connect();
    const sessionId = await sessionOf(server, connection, await server.open(connection));
    const session = { ...connection, "acp-session-id": sessionId };
    const stream = await server.open(session);
    await server.ask("POST", { ...json, ...session }, prompt(2, sessionId));
    const { id } = await stream.until(({ method }) => method === "session/request_permission");
    const answer = message({ id, result: { outcome: { outcome: "selected", optionId: "allow_once" } } });
    expect(await server.statusOf("POST", { ...json, ...session, "acp-session-id": "other" }, answer)).toBe(400);
    if (strict) expect(await server.statusOf("POST", { ...json, ...connection }, answer)).toBe(400);
    expect(await server.statusOf("POST", { ...json, ...(named ? session : connection) }, answer)).toBe(202);
    await stream.until((received) => received.id === 2);
    expect(stream.text).toContain("deleted");
  });

  it("V44: opens a stream once, unless its client names the last event that it saw", async () => {
    const server = serve();
    const connection = await server.connect();
    const own = await server.open(connection);
    const sessionId = await sessionOf(server, connection, own);
    const session = { ...connection, "acp-session-id": sessionId };
    const first = await server.open(session);
    expect(await server.statusOf("GET", { ...events, ...session })).toBe(409);
    await server.ask("POST", { ...json, ...session }, prompt(2, sessionId));
    await first.until(({ id }) => id === 2);
    const lastEventId = /(?<=^id: ).*/m.exec(first.text)?.[0] ?? "";
    const second = await server.open({ ...session, "last-event-id": lastEventId });
    await second.until(({ id }) => id === 2);
    expect(second.received).toHaveLength(1);
    await first.ended;
    expect(await server.statusOf("GET", { ...events, ...session, "last-event-id": "unknown" })).toBe(410);
  });

  it("delivers a message once when its POST is made again", async () => {
    let prompts = 0;
    const server = serve({}, { prompt: async () => void (prompts += 1) });
    const connection = await server.connect();
    const sessionId = await sessionOf(server, connection, await server.open(connection));
    const session = { ...connection, "acp-session-id": sessionId };
    const stream = await server.open(session);
    for (let i = 0; i < 2; i += 1)
      await server.ask("POST", { ...json, ...session, "idempotency-key": "k1" }, prompt(2, sessionId));
    await stream.until(({ id }) => id === 2);
    expect(prompts).toBe(1);
  });

  it("V44: ends a connection that is deleted, cancels its turns, and knows it no longer", async () => {
    let cancelled = (): void => {};
    const ended = new Promise<void>((resolve) => (cancelled = resolve));
    const server = serve({}, { prompt: ({ signal }) => new Promise(() => (signal.onabort = cancelled)) });
    const connection = await server.connect();
    const own = await server.open(connection);
    const sessionId = await sessionOf(server, connection, own);
    await server.ask("POST", { ...json, ...connection, "acp-session-id": sessionId }, prompt(2, sessionId));
    expect(await server.statusOf("DELETE", connection)).toBe(202);
    await soon("the end of the turn and of the stream", Promise.all([ended, own.ended]));
    expect(await server.statusOf("DELETE", connection)).toBe(404);
  });
});

describe("P15: a client of Streamable HTTP whose streams are gone", () => {
  const asking: Partial<AcpAgent> = {
    async prompt(turn) {
      const { allowed } = await turn.requestPermission(await turn.toolCall({ title: "Delete", kind: "delete" }));
      await turn.text(allowed ? "deleted" : "kept");
    },
  };

  it("gets the permission request when it comes back, and nothing was allowed before", async () => {
    const server = serve({}, asking);
    const connection = await server.connect();
    const sessionId = await sessionOf(server, connection, await server.open(connection));
    const session = { ...connection, "acp-session-id": sessionId };
    const lost = await server.open(session);
    const { lastEventId } = lost;
    lost.abort();
    await lost.ended;
    await server.ask("POST", { ...json, ...session }, prompt(2, sessionId));
    const stream = await server.open({ ...session, ...(lastEventId && { "last-event-id": lastEventId }) });
    const { id } = await stream.until(({ method }) => method === "session/request_permission");
    expect(stream.received.filter((one) => one.id === 2)).toEqual([]);
    await server.ask("POST", { ...json, ...session }, message({ id, result: { outcome: { outcome: "cancelled" } } }));
    await stream.until((received) => received.id === 2);
    expect(stream.text).not.toContain("deleted");
  });

  it("has its turn cancelled and nothing allowed when it stays away", async () => {
    let ended = (_outcome: string): void => {};
    const outcome = new Promise<string>((resolve) => (ended = resolve));
    const server = serve(
      { idleMs: 30 },
      { prompt: async (turn) => ended((await turn.requestPermission({ toolCallId: "t" })).outcome) },
    );
    const connection = await server.connect();
    const own = await server.open(connection);
    const sessionId = await sessionOf(server, connection, own);
    await server.ask("POST", { ...json, ...connection, "acp-session-id": sessionId }, prompt(2, sessionId));
    own.abort();
    expect(await outcome).toBe("cancelled");
    expect(await server.statusOf("GET", { ...events, ...connection })).toBe(404);
  });

  it("costs bounded memory: past it, the agent gets an error, and no message is dropped in silence", async () => {
    let failed = (_error: unknown): void => {};
    const failure = new Promise<unknown>((resolve) => (failed = resolve));
    const server = serve(
      { maxQueuedBytes: 4_000, onError: () => {} },
      {
        async prompt(turn) {
          const say = async (text: string): Promise<void> => turn.text(text);
          await Promise.all(Array.from({ length: 100 }, () => say("x".repeat(100)).catch(failed)));
        },
      },
    );
    const connection = await server.connect();
    const sessionId = await sessionOf(server, connection, await server.open(connection));
    await server.ask("POST", { ...json, ...connection, "acp-session-id": sessionId }, prompt(2, sessionId));
    expect(await failure).toMatchObject({ code: "overloaded" });
  });
});

describe("who may reach it, and how much they may take", () => {
  it("refuses a foreign Host and Origin, and a caller without the token", async () => {
    const { statusOf } = serve({ token: "s3cret" });
    const token = { ...json, authorization: "Bearer s3cret" };
    expect(await statusOf("POST", { ...token, host: "evil.example" }, initialize)).toBe(403);
    expect(await statusOf("POST", { ...token, origin: "https://evil.example" }, initialize)).toBe(403);
    expect(await statusOf("POST", { ...json, authorization: "Bearer s3cre" }, initialize)).toBe(401);
    expect(await statusOf("POST", token, initialize)).toBe(200);
  });

  it("lets pages of its origins read the id of their connection", async () => {
    const { ask } = serve({ origins: ["https://app.example"] });
    const origin = { origin: "https://app.example" };
    const preflight = await ask("OPTIONS", origin);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("Acp-Connection-Id, Acp-Session-Id");
    expect(preflight.headers.get("access-control-allow-methods")).toBe("POST, GET, DELETE");
    const answer = await ask("POST", { ...json, ...origin }, initialize);
    expect(answer.headers.get("access-control-expose-headers")).toContain("Acp-Connection-Id");
  });

  it("hides a connection from other callers", async () => {
    const server = serve({ authenticate: ({ headers }) => headers.get("authorization") ?? undefined });
    const connection = await server.connect({ authorization: "ada" });
    const stolen = { ...connection, authorization: "bob" };
    expect(await server.statusOf("GET", { ...events, ...stolen })).toBe(404);
    expect(await server.statusOf("POST", { ...json, ...stolen }, newSession)).toBe(404);
    expect(await server.statusOf("DELETE", stolen)).toBe(404);
    expect(await server.statusOf("POST", json, initialize)).toBe(401);
  });

  it("limits bodies, streams and clients", async () => {
    const server = serve({ maxBodyBytes: 200, maxStreams: 2, maxClients: 1 });
    const connection = await server.connect();
    expect(await server.statusOf("POST", { ...json, ...connection }, prompt(2, "s", "x".repeat(200)))).toBe(413);
    await server.open(connection);
    await server.open({ ...connection, "acp-session-id": "a" });
    expect(await server.statusOf("GET", { ...events, ...connection, "acp-session-id": "b" })).toBe(503);
    expect(await server.statusOf("POST", json, initialize)).toBe(503);
    await server.ask("DELETE", connection);
    expect(await server.statusOf("POST", json, initialize)).toBe(200);
  });

  it("answers an initialize that its agent refuses, and none after it has closed", async () => {
    const server = serve({ onError: () => {} }, { initialize: () => Promise.reject(new Error("no")) });
    expect(await (await server.ask("POST", json, initialize)).json()).toMatchObject({ id: 0, error: { code: -32603 } });
    await server.handler.close();
    expect(await server.statusOf("POST", json, initialize)).toBe(503);
  });
});
