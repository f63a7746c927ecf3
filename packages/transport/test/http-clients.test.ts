import { describe, expect, it } from "vitest";
import { type HttpServer, httpServer, type HttpServerOptions } from "../src/node.js";

const isInitialize = (message: unknown): boolean => (message as { method?: string }).method === "initialize";
const initialize = JSON.stringify({ method: "initialize" });

interface Client {
  readonly id: string;
  readonly caller: string | undefined;
  readonly closed: Promise<Error>;
  readonly received: unknown[];
}

/** A server that keeps what its clients send. */
function serve(options: Partial<HttpServerOptions> = {}) {
  const clients: Client[] = [];
  const server = httpServer({
    rpcPath: "/rpc",
    eventsPath: "/sse",
    opens: isInitialize,
    onClient(transport, { id, caller }) {
      const received: unknown[] = [];
      const closed = new Promise<Error>((resolve) => {
        transport.start({ message: (value) => void received.push(value), malformed() {}, closed: resolve });
      });
      clients.push({ id, caller, closed, received });
    },
    ...options,
  });
  return { server, clients };
}

const ask = (server: HttpServer, method: string, path: string, init: RequestInit = {}): Promise<Response> =>
  server.fetch(
    new Request(`http://localhost${path}`, { ...init, method, headers: { host: "localhost", ...init.headers } }),
  );
const post = async (server: HttpServer, id: string, body: string, headers = {}): Promise<number> =>
  (await ask(server, "POST", `/rpc?client_id=${id}`, { body, headers })).status;
const openEvents = (server: HttpServer, id: string, headers = {}): Promise<Response> =>
  ask(server, "GET", `/sse?client_id=${id}`, { headers });

describe("the slots of clients", () => {
  it("gives none to a body that is not a message", async () => {
    const { server, clients } = serve({ maxClients: 1 });
    expect(await post(server, "evil", "{")).toBe(400);
    expect((await clients[0]?.closed)?.message).toContain("sent no valid message");
    expect(await post(server, "good", initialize)).toBe(202);
  });

  it("takes one from the oldest client that never initialized or never opened its events", async () => {
    const { server, clients } = serve({ maxClients: 3 });
    expect(await post(server, "no-initialize", "{}")).toBe(202);
    expect(await post(server, "no-events", initialize)).toBe(202);
    expect(await post(server, "whole", initialize)).toBe(202);
    expect((await openEvents(server, "whole")).status).toBe(200);
    for (let n = 0; n < 300; n += 1) expect(await post(server, `evil${n}`, initialize)).toBe(202);
    expect((await clients[0]?.closed)?.message).toContain("another client");
    expect((await clients[1]?.closed)?.message).toContain("another client");
    expect(await post(server, "whole", "{}")).toBe(202);
    expect(clients[2]?.received).toEqual([{ method: "initialize" }, {}]);
  });

  it("takes one from a client that opened its events and sent messages, but never initialized", async () => {
    const { server, clients } = serve({ maxClients: 1 });
    expect(await post(server, "no-initialize", "{}")).toBe(202);
    expect((await openEvents(server, "no-initialize")).status).toBe(200);
    expect(await post(server, "whole", initialize)).toBe(202);
    expect((await clients[0]?.closed)?.message).toContain("another client");
  });

  it("is out of slots when every client has initialized and opened its events", async () => {
    const { server } = serve({ maxClients: 2 });
    for (const id of ["a", "b"]) {
      expect(await post(server, id, initialize)).toBe(202);
      expect((await openEvents(server, id)).status).toBe(200);
    }
    expect(await post(server, "c", initialize)).toBe(503);
  });
});

describe("callers", () => {
  const names: Readonly<Record<string, string>> = { "Bearer one": "ada", "Bearer two": "bob" };
  const authenticate = ({ headers }: { headers: { get(name: string): string | null } }): string | undefined =>
    names[headers.get("authorization") ?? ""];

  it("keeps the clients of two callers apart, even under one id", async () => {
    const { server, clients } = serve({ authenticate });
    expect(await post(server, "c", '"of ada"', { authorization: "Bearer one" })).toBe(202);
    expect(await post(server, "c", '"of bob"', { authorization: "Bearer two" })).toBe(202);
    expect(clients.map(({ caller, received }) => [caller, received])).toEqual([
      ["ada", ["of ada"]],
      ["bob", ["of bob"]],
    ]);
  });

  it("refuses a caller that it does not know, and one whose check fails", async () => {
    const { server, clients } = serve({ authenticate });
    expect(await post(server, "c", "{}", { authorization: "Bearer three" })).toBe(401);
    const failing = serve({ authenticate: () => Promise.reject(new Error("the directory is away")) });
    const answer = await ask(failing.server, "POST", "/rpc?client_id=c", { body: "{}" });
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("directory");
    expect(clients).toEqual([]);
  });

  it("refuses a client whose caller is not identified in time", async () => {
    const { server } = serve({ authenticate: () => new Promise(() => {}), authenticateTimeoutMs: 20 });
    const headers = { host: "localhost" };
    const answer = await server.fetch(new Request("http://localhost/sse?client_id=1", { headers }));
    expect(answer.status).toBe(503);
    expect(await answer.text()).toBe("the caller could not be identified in time\n");
  });

  it("waits for a check that takes time", async () => {
    const { server, clients } = serve({ authenticate: async (request) => authenticate(request) });
    expect(await post(server, "c", "{}", { authorization: "Bearer two" })).toBe(202);
    expect(clients[0]?.caller).toBe("bob");
  });

  it("takes the scheme in any case", async () => {
    const { server } = serve({ token: "s3cret" });
    expect(await post(server, "c", "{}", { authorization: "bearer s3cret" })).toBe(202);
    expect(await post(server, "c", "{}", { authorization: "BEARER  s3cret" })).toBe(202);
    expect(await post(server, "c", "{}", { authorization: "bearer S3cret" })).toBe(401);
    expect(await post(server, "c", "{}", { authorization: "s3cret" })).toBe(401);
  });
});
