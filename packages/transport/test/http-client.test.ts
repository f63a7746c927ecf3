import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { HttpClientOptions } from "../src/index.js";
import { clientOf, type Listening, listen, serve } from "./http-fixture.js";
import { deferred, NearEnd } from "./near-end.js";

/** A server by hand, of any manners. */
async function byHand(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Pick<Listening, "url">> {
  const server = createServer(handle).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: (path) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}?client_id=c` };
}

const sse = { "content-type": "text/event-stream" };
const far = { malformed() {}, closed() {} };
const connect = (listener: Pick<Listening, "url">, options?: Partial<HttpClientOptions>): NearEnd =>
  new NearEnd(clientOf(listener, options));

/** A client and a server, after a first message to the server: then the event stream is open. */
async function meet(options?: Partial<HttpClientOptions>) {
  const { server, accepted } = serve();
  const listener = await listen((request) => server.fetch(request));
  const end = connect(listener, options);
  const met = deferred();
  const closed = deferred<Error>();
  const session = await accepted;
  session.start({ malformed() {}, message: () => met.resolve(), closed: closed.resolve });
  end.transport.send("{}");
  await met.promise;
  return { listener, end, session, sessionClosed: closed.promise };
}

/** An address where nobody listens. */
async function unheard(): Promise<Listening> {
  const listener = await listen(() => new Response());
  await listener.stop();
  return listener;
}

describe("a connection that is lost", () => {
  it("costs nothing, however often: 1,000 messages and 200 answers arrive once and in order", async () => {
    const { server, accepted } = serve();
    const listener = await listen((request) => server.fetch(request));
    const end = connect(listener);
    const session = await accepted;
    const echoes: number[] = [];
    const all = deferred();
    session.start({
      ...far,
      message(value) {
        echoes.push((value as { echo: number }).echo);
        if (echoes.length === 200) all.resolve();
      },
    });
    let cuts = 0;
    end.onMessage = ({ i }) => {
      if (Number(i) % 5 === 4) end.transport.send(JSON.stringify({ echo: i }));
      if (Number(i) % 60 !== 30) return;
      cuts += 1;
      listener.cut();
    };
    const pad = "x".repeat(2_000);
    for (let i = 0; i < 1_000; i += 1) await session.send(JSON.stringify({ i, pad }));
    await all.promise;
    const numbers = Array.from({ length: 1_000 }, (_, i) => i);
    expect(end.received.map(({ i }) => i)).toEqual(numbers);
    expect(echoes).toEqual(numbers.filter((i) => i % 5 === 4));
    expect(cuts).toBeGreaterThan(10);
  });

  it("is made again when the same server is back in time", async () => {
    const { server, accepted } = serve();
    const first = await listen((request) => server.fetch(request));
    const end = connect(first);
    const session = await accepted;
    session.start({ ...far, message: (value) => session.send(JSON.stringify(value)) });
    await end.ask({ do: "echo", value: 1 }, "value");
    await first.stop();
    session.send('{"n":2}');
    const answer = end.next("value");
    end.transport.send('{"value":3}');
    await listen((request) => server.fetch(request), first);
    await answer;
    expect(end.received.slice(1)).toEqual([{ n: 2 }, { value: 3 }]);
  });

  it("closes the transport when the server stays away", async () => {
    const { listener, end } = await meet({ retryMs: 1 });
    await listener.stop();
    const reason = await end.closed;
    expect(reason).toMatchObject({ code: "closed", cause: expect.any(TypeError) as Error });
    expect(reason.message).toContain(new URL(listener.url("")).origin);
  });

  it.each([
    ["after a message came", true],
    ["before any message came", false],
  ])("closes the transport, and says why, when the server was restarted %s", async (_name, some) => {
    const { listener, end, session } = await meet();
    if (some) {
      const came = end.next("n");
      session.send('{"n":1}');
      await came;
    }
    await listener.stop();
    const after = serve();
    await listen((request) => after.server.fetch(request), listener);
    const reason = await end.closed;
    expect(reason).toMatchObject({ code: "closed", data: { status: 410 } });
    expect(reason.message).toContain("restarted");
  });

  it("does not go on with a restarted server that knows the client again", async () => {
    const { listener, end, session } = await meet();
    const came = end.next("n");
    session.send('{"n":1}');
    await came;
    await listener.stop();
    const after = serve();
    const post = { method: "POST", body: "0", headers: { host: "localhost" } };
    void after.server.fetch(new Request(listener.url("/rpc"), post)); // answered once somebody listens
    (await after.accepted).send('{"n":"of another conversation"}');
    await listen((request) => after.server.fetch(request), listener);
    expect((await end.closed).message).toContain("restarted");
    expect(end.received).toEqual([{ n: 1 }]);
  });
});

describe("a server without event ids", () => {
  it("is spoken to in its own way, and its streams are opened again", async () => {
    const requests: { method: string | undefined; url: string | undefined; headers: IncomingMessage["headers"] }[] = [];
    const queue = ['{"n":1}', '{"n":2}', '{"n":3}'];
    const listener = await byHand((request, response) => {
      const { method, url, headers } = request;
      requests.push({ method, url, headers });
      if (method === "POST") return void request.resume().on("end", () => response.writeHead(202).end());
      response.writeHead(200, sse).write(": connected\n\n");
      const next = queue.shift();
      if (next !== undefined) response.end(`: ping\n\ndata: ${next.slice(0, 5)}\ndata: ${next.slice(5)}\n\n`);
    });
    const end = connect(listener);
    await end.next(({ n }) => n === 3);
    await end.tell({ do: "close" });
    await end.transport.close();
    expect(end.received).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    for (const { headers } of requests) expect(headers).not.toHaveProperty("last-event-id");
    const post = requests.find(({ method }) => method === "POST");
    expect(post).toMatchObject({ url: "/rpc?client_id=c", headers: { "content-type": "application/json" } });
    expect(post?.headers).not.toHaveProperty("idempotency-key");
    expect(requests.map(({ method }) => method)).not.toContain("DELETE");
  });

  it("tells what is not JSON, and passes over events of other names", async () => {
    const listener = await byHand((_request, response) => {
      response
        .writeHead(200, sse)
        .write('data: {oops\n\nevent: notice\ndata: {"n":1}\n\nevent: message\ndata: {"n":2}\n\n');
    });
    const end = connect(listener);
    await end.next("n");
    expect(end.received).toEqual([{ n: 2 }]);
    expect(end.malformed).toEqual([expect.objectContaining({ code: "framing" })]);
  });

  it("has its stream opened again when it falls silent", async () => {
    let streams = 0;
    const listener = await byHand((_request, response) => {
      streams += 1;
      response.writeHead(200, sse).write(streams === 1 ? ": connected\n\n" : 'data: {"n":1}\n\n');
    });
    await connect(listener, { silenceMs: 20 }).next("n");
    expect(streams).toBe(2);
  });
});

describe("POSTs", () => {
  it("are made with the fetch that was given, called as a plain function", async () => {
    const { server } = serve({ onClient: (transport) => transport.start({ ...far, message() {} }) });
    const paths: unknown[] = [];
    const own = function (this: unknown, url: unknown, init: RequestInit) {
      paths.push(this, `${init.method ?? "GET"} ${new URL(url as string).pathname}`);
      return server.fetch(
        new Request(url as string, { ...init, headers: { ...(init.headers as object), host: "localhost" } }),
      );
    } as typeof fetch;
    const end = connect({ url: (path) => `http://localhost${path}?client_id=c` }, { fetch: own });
    end.transport.send("1");
    await end.transport.close();
    expect(paths).toEqual([undefined, "GET /sse", undefined, "POST /rpc", undefined, "DELETE /sse"]);
  });

  it("wait for the event stream, and carry the headers that were given", async () => {
    const seen: string[] = [];
    const opened = deferred<ServerResponse>();
    const posted = deferred();
    const listener = await byHand((request, response) => {
      seen.push(`${request.method} ${request.headers.authorization}`);
      if (request.method === "GET") return opened.resolve(response.writeHead(200, { ...sse, "last-event-id": "a-0" }));
      response.writeHead(202).end();
      posted.resolve();
    });
    const end = connect(listener, { headers: { authorization: "Bearer t" } });
    end.transport.send("1");
    const stream = await opened.promise;
    expect(seen).toEqual(["GET Bearer t"]);
    stream.flushHeaders();
    await posted.promise;
    expect(seen).toEqual(["GET Bearer t", "POST Bearer t"]);
  });

  it("are made again, with the same key and before the next one, while the server is busy", async () => {
    const posts: string[] = [];
    const listener = await byHand((request, response) => {
      if (request.method === "GET")
        return void response.writeHead(200, { ...sse, "accept-idempotency-key": "?1" }).flushHeaders();
      if (request.method === "DELETE") return void response.writeHead(204).end();
      request
        .setEncoding("utf8")
        .on("data", (body: string) => posts.push(`${body} ${String(request.headers["idempotency-key"])}`));
      request.on("end", () => response.writeHead(posts.length < 3 ? 503 : 202).end());
    });
    const end = connect(listener);
    for (const json of ["1", "2"]) end.transport.send(json);
    await end.transport.close();
    const [first, ...others] = posts;
    expect(others.slice(0, 2)).toEqual([first, first]);
    expect(others[2]).toMatch(/^2 /);
    expect(new Set(posts.map((post) => post.split(" ")[1])).size).toBe(2);
  });

  it("that are refused close the transport and say how", async () => {
    const { server } = serve({ maxBodyBytes: 10 });
    const listener = await listen((request) => server.fetch(request));
    const end = connect(listener);
    end.transport.send(JSON.stringify("far too long"));
    expect(await end.closed).toMatchObject({
      code: "closed",
      message: expect.stringContaining("/rpc: the server answered 413 the body is larger than 10 bytes") as string,
    });
  });

  it("that the server does not take in time do not keep the goodbye from it", async () => {
    const { server, accepted } = serve();
    const listener = await listen((request) => server.fetch(request));
    const end = connect(listener, { closeTimeoutMs: 20 });
    const session = new NearEnd(await accepted);
    const busy = session.next("n");
    session.onMessage = () => new Promise(() => {});
    end.transport.send('{"n":1}');
    await busy;
    await end.transport.close();
    expect(await session.closed).toMatchObject({ message: "closed by the other end" });
  });

  it("end when the close takes too long", async () => {
    const listener = await byHand((request, response) => {
      if (request.method === "GET") response.writeHead(200, sse).flushHeaders();
    });
    const end = connect(listener, { closeTimeoutMs: 20 });
    end.transport.send("1");
    await end.transport.close();
    expect(end.reasons).toEqual([expect.objectContaining({ message: "closed by this side" })]);
  });
});

describe("cookies", () => {
  /** Echoes the cookies of each POST on the event stream, and sets what a POST says. */
  const echo = (): ReturnType<typeof byHand> => {
    let stream: ServerResponse | undefined;
    return byHand(async (request, response) => {
      if (request.method === "GET") {
        stream = response.writeHead(200, { ...sse, "set-cookie": ["route=a; Path=/; HttpOnly", "theme=dark"] });
        return void response.write(": open\n\n");
      }
      const { set } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { set: string[] };
      response.writeHead(202, { "set-cookie": set }).end();
      stream?.write(`data: ${JSON.stringify({ cookie: request.headers.cookie })}\n\n`);
    });
  };

  it("that the server sets are returned, until it ends them; those of the caller take precedence", async () => {
    const end = connect(await echo(), { headers: { Cookie: "theme=light; mine=1" } });
    const seen: unknown[] = [];
    const three = deferred();
    end.onMessage = ({ cookie }) => void (seen.push(cookie) === 3 && three.resolve());
    const over = ["route=; Max-Age=0", "theme=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"];
    for (const set of [["route=b; Secure", "theme=blue"], over, []]) end.transport.send(JSON.stringify({ set }));
    await three.promise;
    expect(seen).toEqual(["route=a; theme=light; mine=1", "route=b; theme=light; mine=1", "theme=light; mine=1"]);
    await end.transport.close();
  });

  it("go on to a later connection that gets the same map", async () => {
    const cookies = new Map<string, string>();
    const url = await echo();
    const first = connect(url, { cookies });
    first.transport.send(JSON.stringify({ set: ["route=b"] }));
    await first.next("cookie");
    await first.transport.close();
    expect([...cookies]).toEqual([
      ["theme", "dark"],
      ["route", "b"],
    ]);
    const opened = deferred<unknown>();
    const later = await byHand((request, response) => {
      opened.resolve(request.headers.cookie);
      response.writeHead(200, sse).write(": open\n\n");
    });
    const second = connect(later, { cookies });
    expect(await opened.promise).toBe("theme=dark; route=b");
    await second.transport.close();
  });

  it("are limited in number and size", async () => {
    const end = connect(await echo());
    const second = deferred<unknown>();
    let count = 0;
    end.onMessage = ({ cookie }) => void (++count === 2 && second.resolve(cookie));
    const set = [`large=${"x".repeat(4096)}`, ...Array.from({ length: 60 }, (_, i) => `c${i}=1`)];
    for (const next of [set, []]) end.transport.send(JSON.stringify({ set: next }));
    const kept = String(await second.promise).split("; ");
    expect(kept).toHaveLength(50);
    expect(kept).toContain("route=a");
    expect(kept.filter((pair) => pair.startsWith("large"))).toEqual([]);
    await end.transport.close();
  });
});

describe("the end", () => {
  it("is reported to the server, which does not wait for the client any more", async () => {
    const { end, sessionClosed } = await meet();
    await end.transport.close();
    expect(await sessionClosed).toMatchObject({ message: "closed by the other end" });
  });

  it.each([
    ["nobody listens", unheard, /GET http:\/\/127\.0\.0\.1:\d+\/sse: .*ECONNREFUSED/],
    [
      "the token is wrong",
      () => listen((request) => serve({ token: "t" }).server.fetch(request)),
      /the server answered 401 a bearer token is required/,
    ],
    [
      "it is a web site",
      () => listen(() => new Response("<html>", { headers: { "content-type": "text/html" } })),
      /expected an answer of type text\/event-stream, received text\/html/,
    ],
  ])("comes at once, as not_connected, where %s", async (_name, server, message) => {
    const end = connect(await server());
    const reason = await end.closed;
    expect(reason).toMatchObject({ code: "not_connected" });
    expect(reason.message).toMatch(message);
  });

  it("says no more than the beginning of a refusal, however long that is", async () => {
    const listener = await byHand((_request, response) => {
      response.writeHead(404).write("no such page ".repeat(1_000)); // and no end
    });
    const { message } = await connect(listener).closed;
    expect(message).toMatch(/the server answered 404 no such page/);
    expect(message.length).toBeLessThan(300);
  });

  it("comes with too_large when an event is", async () => {
    const listener = await byHand((_request, response) => {
      response.writeHead(200, sse).write(`data: "${"x".repeat(200_000)}"\n\n`);
    });
    expect(await connect(listener, { maxMessageBytes: 10_000 }).closed).toMatchObject({ code: "too_large" });
  });
});
