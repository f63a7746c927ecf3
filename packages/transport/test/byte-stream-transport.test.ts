import { createHook } from "node:async_hooks";
import { WireError } from "@editwire/core/errors";
import { type Codec, type Framer, ndjson } from "@editwire/framing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type ByteStream, type ByteStreamEvents, type ByteStreamOptions, byteStreamTransport } from "../src/index.js";
import { deferred, NearEnd } from "./near-end.js";

/** A stream that records what is done to it; `hasRoom` is what its writes return. */
class FakeStream implements ByteStream {
  readonly writes: string[] = [];
  readonly calls: string[] = [];
  events!: ByteStreamEvents;
  hasRoom = true;

  open(events: ByteStreamEvents): void {
    this.events = events;
  }
  write(data: Uint8Array | string): boolean {
    this.writes.push(typeof data === "string" ? data : new TextDecoder().decode(data));
    return this.hasRoom;
  }
  pause(): void {
    this.calls.push("pause");
  }
  resume(): void {
    this.calls.push("resume");
  }
  end(): void {
    this.calls.push("end");
  }
  destroy(): void {
    this.calls.push("destroy");
    this.events.closed();
  }
  read(text: string): void {
    this.events.data(new TextEncoder().encode(text));
  }
}

/** Resolves behind the end of this tick. */
const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function setUp(
  options?: ByteStreamOptions,
  codec: Codec = ndjson(),
): Promise<{ stream: FakeStream; end: NearEnd; send(json: string): void | Promise<void> }> {
  const stream = new FakeStream();
  const end = new NearEnd(byteStreamTransport(stream, codec, options));
  onTestFinished(() => stream.events.closed());
  await Promise.resolve();
  return { stream, end, send: (json) => end.transport.send(json) };
}

it("makes no promise, timer or microtask per message", async () => {
  const { stream, end, send } = await setUp();
  let made = 0;
  const hook = createHook({ init: () => void (made += 1) }).enable();
  for (let i = 0; i < 1_000; i += 1) send("1");
  await nextTick();
  stream.read('{"n":1}\n'.repeat(1_000));
  hook.disable();
  expect(end.received).toHaveLength(1_000);
  expect(stream.writes).toHaveLength(1);
  expect(made).toBeLessThan(10);
});

it("lets other work run between many unreadable messages, and reads all of them in order", async () => {
  const { stream, end } = await setUp();
  let rested = 0;
  stream.read(`${"y\n".repeat(2_500)}{"n":1}\n`);
  expect(end.malformed.length).toBeLessThan(2_500);
  stream.read('{"n":2}\n');
  expect(stream.calls.at(-1)).toBe("pause");
  stream.events.end();
  while (end.received.length < 2 && rested < 10) {
    rested++;
    await new Promise((resolve) => setTimeout(resolve));
  }
  expect(end.malformed).toHaveLength(2_500);
  expect(end.received).toEqual([{ n: 1 }, { n: 2 }]);
  expect(rested).toBeGreaterThan(1);
});

describe("sending", () => {
  it("writes the messages of one tick at once", async () => {
    const { stream, send } = await setUp();
    for (const json of ["1", "2", '"é"']) expect(send(json)).toBeUndefined();
    expect(stream.writes).toEqual([]);
    await nextTick();
    expect(stream.writes).toEqual(['1\n2\n"é"\n']);
    send("3");
    await nextTick();
    expect(stream.writes).toHaveLength(2);
  });

  it("does not wait for the end of the tick with 64 KiB", async () => {
    const { stream, send } = await setUp();
    const json = JSON.stringify("x".repeat(40_000));
    send(json);
    expect(stream.writes).toEqual([]);
    send(json);
    expect(stream.writes).toEqual([`${json}\n${json}\n`]);
  });

  it("gives everybody who sends to a full stream the same promise, until all is written", async () => {
    const { stream, send } = await setUp();
    stream.hasRoom = false;
    send("1");
    await nextTick();
    const room = send("2");
    expect(room).toBeInstanceOf(Promise);
    expect(send("3")).toBe(room);
    await nextTick();
    expect(stream.writes).toEqual(["1\n"]);
    stream.events.drain();
    expect(stream.writes).toEqual(["1\n", "2\n3\n"]);
    expect(send("4")).toBe(room);
    stream.hasRoom = true;
    stream.events.drain();
    await room;
    expect(stream.writes).toEqual(["1\n", "2\n3\n", "4\n"]);
    expect(send("5")).toBeUndefined();
  });

  it("queues for a full stream in blocks, in order, up to the limit in bytes", async () => {
    const { stream, send } = await setUp({ maxQueuedBytes: 1_000_000 });
    stream.hasRoom = false;
    const json = (i: number): string => JSON.stringify({ i, pad: "é".repeat(5_000) });
    let sent = 0;
    expect(() => {
      for (;;) {
        void send(json(sent));
        sent += 1;
      }
    }).toThrow(
      expect.objectContaining({
        code: "overloaded",
        data: { queuedBytes: expect.any(Number), maxQueuedBytes: 1_000_000 },
      }),
    );
    const bytes = sent * Buffer.byteLength(`${json(sent)}\n`);
    // Text that is not bytes yet counts by the character.
    expect(bytes).toBeGreaterThan(900_000);
    expect(bytes).toBeLessThan(1_100_000);
    stream.hasRoom = true;
    stream.events.drain();
    expect(stream.writes.join("")).toBe(Array.from({ length: sent }, (_, i) => `${json(i)}\n`).join(""));
    expect(stream.writes.length).toBeLessThan(sent / 4);
  });

  it("takes one message larger than the limit", async () => {
    const { stream, send } = await setUp({ maxQueuedBytes: 10 });
    send(JSON.stringify("x".repeat(100_000)));
    expect(stream.writes).toHaveLength(1);
  });
});

describe("reading", () => {
  it("hands over every message of a chunk inside the event", async () => {
    const { stream, end } = await setUp();
    stream.read('{"n":1}\n{"n":2}\n{"n"');
    expect(end.received).toEqual([{ n: 1 }, { n: 2 }]);
    stream.read(":3}\n");
    expect(end.received).toHaveLength(3);
    expect(stream.calls).toEqual(["resume"]);
  });

  it("pauses the stream only for bytes that come while a message is unsettled", async () => {
    const { stream, end } = await setUp();
    const hold = deferred();
    end.onMessage = () => hold.promise;
    stream.read('{"n":1}\n{"n":2}\n');
    expect(end.received).toEqual([{ n: 1 }]);
    expect(stream.calls).toEqual(["resume"]);
    stream.read('{"n":3}\n');
    expect(stream.calls).toEqual(["resume", "pause"]);
    end.onMessage = () => {};
    hold.resolve();
    await hold.promise;
    expect(end.received).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(stream.calls).toEqual(["resume", "pause", "resume"]);
  });

  it("closes with the error of a frame after which nothing can be read", async () => {
    const error = new WireError("framing", "no end in sight");
    let pushed = false;
    const broken: Framer = {
      encode: (json) => json,
      push: () => void (pushed = true),
      next: () => (pushed ? { ok: false, fatal: true, error } : undefined),
      end() {},
      pending: 0,
      unfinished: undefined,
    };
    const { stream, end, send } = await setUp({}, { ...ndjson(), open: () => broken });
    send("1");
    stream.read("anything");
    expect(stream.writes).toEqual(["1"]);
    expect(stream.calls).toContain("end");
    expect(() => send("2")).toThrow(expect.objectContaining({ code: "closed" }));
    stream.events.closed();
    expect(end.reasons).toEqual([error]);
    expect(end.malformed).toEqual([]);
  });
});

describe("closing", () => {
  it("destroys a stream that does not close in time", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { stream, end } = await setUp({ closeTimeoutMs: 500 });
    const closed = end.transport.close();
    vi.advanceTimersByTime(499);
    expect(stream.calls).not.toContain("destroy");
    vi.advanceTimersByTime(1);
    await closed;
    expect(stream.calls).toContain("destroy");
    expect(end.reasons).toHaveLength(1);
  });

  it("discards what comes after it was asked to close", async () => {
    const { stream, end } = await setUp();
    void end.transport.close();
    stream.read('{"n":1}\n');
    expect(end.received).toEqual([]);
  });

  it("writes the whole queue before it ends a full stream", async () => {
    const { stream, end, send } = await setUp();
    stream.hasRoom = false;
    for (const json of ["1", "2"]) {
      void send(json);
      await nextTick();
    }
    void end.transport.close();
    expect(stream.writes).toEqual(["1\n", "2\n"]);
    expect(stream.calls.at(-1)).toBe("end");
  });
});
