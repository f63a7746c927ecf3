import { describe, expect, it } from "vitest";
import type { HttpServer, HttpServerOptions } from "../src/node.js";
import type { Transport } from "../src/index.js";
import { serve } from "./http-fixture.js";
import { deferred } from "./near-end.js";

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

const headers = { host: "localhost" };

async function send(server: HttpServer, method: string, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await server.fetch(
    new Request(`http://localhost${path}`, { ...init, method, headers: { ...headers, ...(init.headers as object) } }),
  );
  return { status: response.status, text: await response.text(), headers: response.headers };
}

const post = (server: HttpServer, body: string, more: Record<string, string> = {}, client = "c"): Promise<Answer> =>
  send(server, "POST", `/rpc?client_id=${client}`, { body, headers: more });

/** An event stream, read part by part. */
async function open(server: HttpServer, more: Record<string, string> = {}, client = "c") {
  const response = await server.fetch(
    new Request(`http://localhost/sse?client_id=${client}`, { headers: { ...headers, ...more } }),
  );
  const reader = response.body?.getReader();
  let text = "";
  const read = async (): Promise<string | undefined> => {
    const part = await reader?.read();
    return part?.value === undefined ? undefined : new TextDecoder().decode(part.value);
  };
  return {
    status: response.status,
    headers: response.headers,
    read,
    cancel: () => reader?.cancel(),
    /** Reads until the text is there, and gives all of it. */
    async until(wanted: string): Promise<string> {
      while (!text.includes(wanted)) {
        const part = await read();
        if (part === undefined) throw new Error(`the stream ended without ${wanted}: ${text}`);
        text += part;
      }
      return text;
    },
  };
}

const idOf = (text: string, data: string): string => new RegExp(`id: (.*)\ndata: ${data}\n\n`).exec(text)?.[1] ?? "";

/** Starts a server's end of a client and keeps what it reports. */
function start(transport: Transport, onMessage: (value: unknown) => void | Promise<void> = () => {}) {
  const received: unknown[] = [];
  const closed = new Promise<Error>((resolve) => {
    transport.start({
      message(value) {
        received.push(value);
        return onMessage(value);
      },
      malformed() {},
      closed: resolve,
    });
  });
  return { received, closed };
}

/** A server with a client whose stream is open. */
async function meet(options: Partial<HttpServerOptions> = {}) {
  const { server, accepted } = serve(options);
  const stream = await open(server);
  await stream.until(": connected\n\n");
  const session = await accepted;
  return { server, stream, session };
}

describe("the event stream", () => {
  it("begins with a comment and goes on with comments while there is nothing to say", async () => {
    const { stream } = await meet({ keepAliveMs: 5 });
    expect(stream.headers.get("content-type")).toBe("text/event-stream");
    expect(stream.headers.get("cache-control")).toBe("no-cache");
    await stream.until(": ping\n\n: ping\n\n");
  });

  it("carries the messages of one tick as one block of numbered events", async () => {
    const { stream, session } = await meet();
    for (const json of ['{"n":1}', '"é"']) session.send(json);
    const block = (await stream.read()) ?? "";
    const epoch = stream.headers.get("last-event-id")?.split("-")[0];
    expect(block).toBe(`id: ${epoch}-1\ndata: {"n":1}\n\nid: ${epoch}-2\ndata: "é"\n\n`);
  });

  it("brings what was sent before it was opened", async () => {
    const { server, accepted } = serve();
    void post(server, "0"); // answered once somebody listens
    const session = await accepted;
    for (const json of ["1", "2"]) session.send(json);
    expect(await (await open(server)).until("data: 2\n\n")).toContain("data: 1\n\n");
  });

  it("gives way to a newer one of the same client", async () => {
    const { server, stream, session } = await meet();
    const newer = await open(server);
    expect(await stream.read()).toBeUndefined();
    session.send("1");
    await newer.until("data: 1\n\n");
    await stream.cancel(); // of no consequence any more
    session.send("2");
    await newer.until("data: 2\n\n");
  });

  it("asks a sender to wait for a slow reader, and takes no more than its limit", async () => {
    const { stream, session } = await meet({ maxQueuedBytes: 100_000 });
    const json = JSON.stringify("x".repeat(9_998));
    let room: void | Promise<void> = undefined;
    let sent = 0;
    for (; room === undefined; sent += 1) room = session.send(json);
    expect(() => {
      for (; sent < 100; sent += 1) void session.send(json);
    }).toThrow(expect.objectContaining({ code: "overloaded" }));
    expect(sent).toBeLessThan(30);
    for (let read = 0; read < sent; ) read += ((await stream.read()) ?? "").split("data: ").length - 1;
    await room;
    expect(session.send(json)).toBeUndefined();
  });
});

describe("a stream that comes back", () => {
  it("goes on after the event that it names", async () => {
    const { server, stream, session } = await meet();
    for (const json of ["1", "2", "3"]) session.send(json);
    const text = await stream.until("data: 3\n\n");
    await stream.cancel();
    session.send("4");
    const again = await open(server, { "last-event-id": idOf(text, "1") });
    expect(again.headers.get("last-event-id")).toBe(idOf(text, "1"));
    const unread = await open(server, { "last-event-id": again.headers.get("last-event-id") ?? "" });
    expect((await unread.until("data: 4\n\n")).match(/data: .*/g)).toEqual(["data: 2", "data: 3", "data: 4"]);
    const once = await open(server, { "last-event-id": idOf(text, "3") });
    expect((await once.until("data: 4\n\n")).match(/data: .*/g)).toEqual(["data: 4"]);
  });

  it("starts from the beginning with the id that the first answer names", async () => {
    const { server, stream, session } = await meet();
    session.send("1");
    await stream.cancel();
    await (await open(server, { "last-event-id": stream.headers.get("last-event-id") ?? "" })).until("data: 1\n\n");
  });

  it("gets 410 where what it missed is not kept, or was acknowledged before", async () => {
    const { server, stream, session } = await meet({ maxReplayBytes: 10 });
    for (const n of [1, 2, 3]) {
      session.send(String(n).repeat(8));
      await stream.until(`data: ${n}`);
    }
    const text = await stream.until("data: 33333333\n\n");
    expect((await open(server, { "last-event-id": idOf(text, "11111111") })).status).toBe(410);
    const kept = await open(server, { "last-event-id": idOf(text, "22222222") });
    await kept.until("data: 33333333\n\n");
    expect((await open(server, { "last-event-id": idOf(text, "11111111") })).status).toBe(410);
  });

  it("gets 410 for an id that was never given out, and for a client that is not known", async () => {
    const { server, stream } = await meet();
    const epoch = stream.headers.get("last-event-id")?.split("-")[0];
    for (const id of [`${epoch}-1`, `${epoch}--1`, `${epoch}-1e3`, `${epoch}`, "other-0", "0", "", "é"]) {
      expect((await open(server, { "last-event-id": id })).status).toBe(410);
    }
    const { server: restarted, accepted } = serve();
    expect((await open(restarted, { "last-event-id": `${epoch}-0` })).status).toBe(410);
    expect(await Promise.race([accepted, "nobody"])).toBe("nobody");
  });
});

describe("a POST", () => {
  it("waits until the client's transport is started, and while its listener is busy", async () => {
    const { server, session } = await meet();
    const first = post(server, "1");
    const hold = deferred();
    const { received } = start(session, (value) => (value === 1 ? hold.promise : undefined));
    const second = post(server, "2");
    await new Promise(setImmediate);
    expect(received).toEqual([1]);
    hold.resolve();
    expect((await Promise.all([first, second])).map(({ status, text }) => [status, text])).toEqual([
      [202, ""],
      [202, ""],
    ]);
    expect(received).toEqual([1, 2]);
  });

  it("is answered although the listener failed", async () => {
    const { server, session } = await meet();
    start(session, () => Promise.reject(new Error("a handler failed")));
    expect((await post(server, "1")).status).toBe(202);
  });

  it("that is made again is not taken again", async () => {
    const { server, session } = await meet();
    const { received } = start(session);
    for (const key of ["a-1", "a-1", "a-2"])
      expect((await post(server, JSON.stringify(key), { "idempotency-key": key })).status).toBe(202);
    for (const body of ["1", "1"]) await post(server, body);
    expect(received).toEqual(["a-1", "a-2", 1, 1]);
  });

  it("is refused where too many wait", async () => {
    const { server } = await meet();
    const waiting = Array.from({ length: 64 }, () => post(server, "1"));
    expect((await post(server, "1")).status).toBe(429);
    await server.close();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(64).fill(410));
  });

  it.each([["{oops"], [""], [new Uint8Array([0x22, 0xff, 0x22])]])(
    "of %j is answered 400 and reaches nobody",
    async (body) => {
      const { server, session } = await meet();
      const { received } = start(session);
      expect((await send(server, "POST", "/rpc?client_id=c", { body })).status).toBe(400);
      expect(received).toEqual([]);
    },
  );

  it("is answered as `statusOf` says", async () => {
    const { server, session } = await meet({ statusOf: (value) => (value === 1 ? 204 : 422) });
    const { received } = start(session);
    expect([(await post(server, "1")).status, (await post(server, "2")).status]).toEqual([204, 422]);
    expect(received).toEqual([1]);
  });
});

describe("a client", () => {
  it("is known by the first client_id, without blanks around it", async () => {
    const ids: string[] = [];
    const { server } = serve({ onClient: (_transport, { id }) => ids.push(id) });
    for (const query of ["client_id=a&client_id=b", "client_id=%20%20a%20", "client_id=%C3%A9%2F%3F"])
      await open(server, {}, query.slice("client_id=".length));
    expect(ids).toEqual(["a", "é/?"]);
  });

  it.each(["", "?client_id=", "?client_id=%20%20", `?client_id=${"x".repeat(257)}`, "?clientid=a"])(
    "is refused with the query %j",
    async (query) => {
      const { server } = serve();
      expect(await send(server, "POST", `/rpc${query}`, { body: "1" })).toMatchObject({
        status: 400,
        text: "client_id is required\n",
      });
      expect((await send(server, "GET", `/sse${query}`)).status).toBe(400);
    },
  );

  it("counts as gone after its idle time, is notified, and may begin again after another", async () => {
    const { server, stream, session } = await meet({ idleMs: 30 });
    const { closed } = start(session);
    await stream.cancel();
    expect(await closed).toMatchObject({ code: "closed", message: "the client was away for 30 ms" });
    expect(() => session.send("1")).toThrow(expect.objectContaining({ code: "closed" }));
    expect((await open(server, { "last-event-id": stream.headers.get("last-event-id") ?? "" })).status).toBe(410);
    expect((await open(server)).status).toBe(200);
  });

  it("is there as long as its POST is", async () => {
    const { server, stream, session } = await meet({ idleMs: 20 });
    await stream.cancel();
    const hold = deferred();
    const { closed } = start(session, () => hold.promise);
    const posted = post(server, "1");
    const late = new Promise((resolve) => setTimeout(resolve, 60, "still there"));
    expect(await Promise.race([closed, late])).toBe("still there");
    hold.resolve();
    expect((await posted).status).toBe(202);
    await closed;
  });

  it("that was closed here reads the rest, then gets 410, and its POSTs lead nowhere", async () => {
    const { server, stream, session } = await meet({ closeTimeoutMs: 20_000 });
    const { received, closed } = start(session);
    await stream.cancel();
    session.send("1");
    const closing = session.close();
    expect((await post(server, "2")).status).toBe(202);
    const rest = await open(server, { "last-event-id": stream.headers.get("last-event-id") ?? "" });
    await rest.until("data: 1\n\n");
    expect(await rest.read()).toBeUndefined();
    await closing;
    expect(await closed).toMatchObject({ message: "closed by this side" });
    expect([(await open(server)).status, (await post(server, "3")).status]).toEqual([410, 410]);
    expect(received).toEqual([]);
  });

  it("that does not read is not waited for longer than agreed", async () => {
    const { stream, session } = await meet({ closeTimeoutMs: 1 });
    await stream.cancel();
    session.send("1");
    await session.close();
    expect(await start(session).closed).toMatchObject({ message: "closed by this side" });
  });

  it("that says goodbye is forgotten at once", async () => {
    const { server, stream, session } = await meet();
    const { closed } = start(session);
    expect((await send(server, "DELETE", "/sse?client_id=c")).status).toBe(204);
    expect(await closed).toMatchObject({ message: "closed by the other end" });
    expect(await stream.read()).toBeUndefined();
    expect((await open(server)).status).toBe(200);
  });

  it("gets nothing of another one", async () => {
    const transports: Transport[] = [];
    const { server } = serve({ onClient: (transport) => transports.push(transport) });
    const streams = [await open(server, {}, "a"), await open(server, {}, "b")];
    transports.forEach((transport, i) => transport.send(JSON.stringify(`for ${i}`)));
    expect(await streams[0]?.until("for 0")).not.toContain("for 1");
    expect(await streams[1]?.until("for 1")).not.toContain("for 0");
  });
});

it("admits nobody once it is closed", async () => {
  const { server, session } = await meet();
  const { closed } = start(session);
  await server.close();
  expect(await closed).toMatchObject({ message: "closed by this side" });
  expect((await open(server, {}, "another")).status).toBe(503);
});

it("answers 500 where the application fails, and tells nothing of it", async () => {
  const { server } = serve({
    onClient: () => {
      throw new Error("secret");
    },
  });
  expect(await post(server, "1")).toMatchObject({ status: 500, text: "internal error\n" });
});
