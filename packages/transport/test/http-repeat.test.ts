// A POST that failed is made again only if the server certainly did not take it, or if it may arrive twice.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { httpClientTransport, httpStreamsClientTransport, type Transport } from "../src/index.js";
import { NearEnd } from "./near-end.js";

const names = { connection: "acp-connection-id", stream: "acp-session-id" };
const sse = { "content-type": "text/event-stream" };

interface Failure {
  readonly status: number | "reset";
  readonly headers?: Record<string, string>;
}

/** A server that takes every message, and fails the first POST of `{"fails":…}` in the given way. */
async function serve(failure: Failure, declared: Record<string, string> = {}) {
  const taken: string[] = [];
  const keys = new Set<unknown>();
  const deletes: number[] = [];
  let isFailed = false;
  let stream: ServerResponse | undefined;
  const fail = (request: IncomingMessage, response: ServerResponse): void => {
    isFailed = true;
    if (failure.status === "reset") request.socket.destroy();
    else response.writeHead(failure.status, failure.headers).end();
  };
  const server = createServer(async (request, response) => {
    if (request.method === "GET") {
      stream = response.writeHead(200, { ...sse, ...declared });
      return void stream.write(": open\n\n");
    }
    const body = Buffer.concat(await request.toArray()).toString();
    if (request.method === "DELETE") {
      if (deletes.push(1) === 1) return void request.socket.destroy();
      return void response.writeHead(202).end();
    }
    taken.push(body);
    if (body.includes("fails")) keys.add(request.headers["idempotency-key"]);
    if (body.includes("fails") && !isFailed) return fail(request, response);
    const opening = { "content-type": "application/json", [names.connection]: "c", ...declared };
    if (body === '"open"') return void response.writeHead(200, opening).end('{"opened":true}');
    response.writeHead(202).end();
    if (body === '"last"') stream?.write('data: {"over":true}\n\n');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, keys, deletes, times: () => taken.filter((body) => body.includes("fails")).length };
}

type Connect = (url: string, mayArriveTwice?: boolean) => Transport;

const refused = (_message: unknown, { message, data }: { message: string; data: unknown }): unknown => ({
  failed: message,
  data,
});
const ways: [string, Connect][] = [
  [
    "one event stream",
    (url, twice = false) => httpClientTransport({ rpc: url, events: url, refused, mayArriveTwice: () => twice }),
  ],
  [
    "several event streams",
    (url, twice = false) => {
      const routes = {
        outgoing: () => "",
        incoming: () => ({}),
        awaits: () => false,
        mayArriveTwice: () => twice,
        refused,
      };
      return httpStreamsClientTransport({ url, names, routes });
    },
  ],
];

describe.each(ways)("a POST of a client with %s", (_name, connect) => {
  /** Opens a connection, sends the message that fails, and another one. Returns how the former failed, if it did. */
  async function send(url: string, mayArriveTwice?: boolean) {
    const end = new NearEnd(connect(url, mayArriveTwice));
    end.transport.send('"open"');
    end.transport.send('{"fails":1}');
    const over = end.next("over");
    end.transport.send('"last"');
    await over;
    await end.transport.close();
    return end.received.find(({ failed }) => failed !== undefined);
  }

  it.each<Failure>([
    { status: "reset" },
    { status: 500 },
    { status: 502, headers: { "retry-after": "0" } },
    { status: 503 },
    { status: 504 },
  ])("that the server may have taken is not made again, and its outcome is unknown: $status", async (failure) => {
    const { url, times } = await serve(failure);
    const answer = await send(url);
    expect(answer).toMatchObject({
      failed: expect.stringMatching(/^POST http:.*may have taken the message, so its outcome is unknown$/) as string,
      data: { outcome: "unknown", ...(failure.status === "reset" ? {} : { status: failure.status }) },
    });
    expect(times()).toBe(1);
  });

  it.each<Failure>([{ status: 400 }, { status: 429 }])("that was refused fails: $status", async (failure) => {
    const { url, times } = await serve(failure);
    expect(await send(url)).toMatchObject({ data: { status: failure.status } });
    expect(times()).toBe(1);
  });

  it.each<Failure>([
    { status: 429, headers: { "retry-after": "0" } },
    { status: 503, headers: { "retry-after": new Date().toUTCString() } },
  ])("that the server asks for later is made again: $status", async (failure) => {
    const { url, times } = await serve(failure);
    expect(await send(url)).toBeUndefined();
    expect(times()).toBe(2);
  });

  it("is made again, with the same key, where the server declares that it takes keys", async () => {
    const { url, times, keys } = await serve({ status: "reset" }, { "accept-idempotency-key": "?1" });
    expect(await send(url)).toBeUndefined();
    expect([times(), keys.size, keys.has(undefined)]).toEqual([2, 1, false]);
  });

  it("has no key for a server that only numbers its events, and is not made again", async () => {
    const { url, times, keys } = await serve({ status: 504 }, { "last-event-id": "a-0" });
    expect(await send(url)).toMatchObject({ data: { outcome: "unknown" } });
    expect([times(), [...keys]]).toEqual([1, [undefined]]);
  });

  it("is made again where it may arrive twice", async () => {
    const { url, times } = await serve({ status: "reset" });
    expect(await send(url, true)).toBeUndefined();
    expect(times()).toBe(2);
  });
});

it.each(ways)("the DELETE of a client with %s is made again", async (_name, connect) => {
  const { url, deletes } = await serve({ status: 500 }, { "last-event-id": "a-0" });
  const end = new NearEnd(connect(url));
  const opened = end.next("over");
  end.transport.send('"open"');
  end.transport.send('"last"');
  await opened;
  await end.transport.close();
  expect(deletes).toHaveLength(2);
});
