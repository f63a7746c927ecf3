import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { WireError } from "@editwire/core";
import { EventQueue } from "../src/index.js";

const nothing = (): void => {};

async function all(queue: EventQueue<number>): Promise<number[]> {
  const read: number[] = [];
  for await (const value of { [Symbol.asyncIterator]: () => queue.read(nothing) }) read.push(value);
  return read;
}

it("gives its reader every event, the last one last", async () => {
  const queue = new EventQueue<number>();
  queue.push(1);
  const reading = all(queue);
  queue.push(2);
  queue.end(3);
  queue.push(4);
  queue.end(5);
  expect(await reading).toEqual([1, 2, 3]);
});

it("throws a lost connection where it is read", async () => {
  const queue = new EventQueue<number>();
  async function readHere(): Promise<void> {
    for await (const _value of { [Symbol.asyncIterator]: () => queue.read(nothing) });
  }
  const reading = readHere();
  setImmediate(() => queue.fail(new WireError("closed", "the process died")));
  const error = await reading.catch((thrown: unknown) => thrown as Error);
  expect(error?.stack).toMatch(/^WireError: the process died\n[^]* readHere \(/);
});

it("throws what failed after what came before", async () => {
  const queue = new EventQueue<number>();
  queue.push(1);
  queue.fail(new Error("lost"));
  const iterator = queue.read(nothing);
  expect(await iterator.next()).toEqual({ done: false, value: 1 });
  await expect(iterator.next()).rejects.toThrow("lost");
});

it("asks to wait once a reader is behind, and says when there is room", async () => {
  const queue = new EventQueue<number>();
  const iterator = queue.read(nothing);
  let n = 0;
  while (n < 255) expect(queue.push(n++)).toBeUndefined();
  const room = queue.push(n++);
  expect(room).toBeInstanceOf(Promise);
  while (n > 128) expect((await iterator.next()).value).toBe(256 - n--);
  await iterator.next();
  await room;
  expect(queue.push(0)).toBeUndefined();
});

it("keeps nothing for a reader that does not come", () => {
  const queue = new EventQueue<number>();
  for (let n = 0; n < 1_000; n++) expect(queue.push(n)).toBeUndefined();
  expect(() => queue.read(nothing)).toThrow(expect.objectContaining({ name: "WireError", code: "overloaded" }));
});

it("tells when its reader leaves early, and lets a sender go on", async () => {
  const queue = new EventQueue<number>();
  let left = 0;
  const iterator = queue.read(() => left++);
  let room: void | Promise<void> = undefined;
  for (let n = 0; n < 256; n++) room = queue.push(n);
  await iterator.return?.();
  await room;
  expect(left).toBe(1);
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
  expect(() => queue.read(nothing)).toThrow(WireError);
});

it("does not call it leaving when the last event was read", async () => {
  const queue = new EventQueue<number>();
  let left = 0;
  queue.end(1);
  for await (const value of { [Symbol.asyncIterator]: () => queue.read(() => left++) }) {
    expect(value).toBe(1);
    break;
  }
  expect(left).toBe(0);
});

it.each([
  { waiting: 1, reads: 1 },
  { waiting: 200, reads: 1_000 },
])("releases what was read while $waiting events wait, after $reads reads", async ({ waiting, reads }) => {
  const queue = new EventQueue<object>();
  const iterator = queue.read(nothing);
  const collectGarbage = gc();
  const first = firstOf(queue);
  for (let n = 0; n < waiting; n++) void queue.push({ n });
  for (let n = 0; n < reads; n++) {
    await iterator.next();
    void queue.push({ n });
  }
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(first.deref()).toBeUndefined();
});

/** Pushes an event that only the queue holds on to. */
function firstOf(queue: EventQueue<object>): WeakRef<object> {
  const event = { first: true };
  void queue.push(event);
  return new WeakRef(event);
}

function gc(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

it("slows the sender down by characters, too", async () => {
  const queue = new EventQueue<number>();
  const iterator = queue.read(nothing);
  expect(queue.push(1, 150_000)).toBeUndefined();
  const room = queue.push(2, 150_000);
  expect(room).toBeInstanceOf(Promise);
  await iterator.next();
  await iterator.next();
  void iterator.next();
  await room;
  expect(queue.push(3, 1)).toBeUndefined();
});

it("counts the characters of an event until its reader asks for the next one", async () => {
  const queue = new EventQueue<number>();
  const iterator = queue.read(nothing);
  const order: string[] = [];
  const room = Promise.resolve(queue.push(1, 8_000_000)).then(() => order.push("room"));
  await iterator.next();
  await new Promise((resolve) => setImmediate(resolve));
  order.push("next");
  void iterator.next();
  await room;
  expect(order).toEqual(["next", "room"]);
});

it("says when the reader has begun to handle what came before", async () => {
  const queue = new EventQueue<number>();
  const order: string[] = [];
  queue.push(1);
  queue.push(2);
  const reading = (async () => {
    for await (const event of { [Symbol.asyncIterator]: () => queue.read(nothing) }) order.push(`event ${event}`);
  })();
  await queue.handed();
  order.push("question");
  queue.end(3);
  await reading;
  expect(order).toEqual(["event 1", "event 2", "question", "event 3"]);
});

it("does not wait for a reader that is not there, or that leaves", async () => {
  const unread = new EventQueue<number>();
  unread.push(1);
  await unread.handed();
  const left = new EventQueue<number>();
  const iterator = left.read(nothing);
  left.push(1);
  const handed = left.handed();
  await iterator.return?.();
  await handed;
  expect(left.push(2)).toBeUndefined();
});

it("joins what waits behind eight events, given a way to join", async () => {
  const join = (a: number, b: number): number | undefined => (b < 100 ? a + b : undefined);
  const queue = new EventQueue<number>(join);
  for (let n = 1; n <= 12; n++) queue.push(n, 10);
  queue.push(100, 10);
  queue.push(1, 10);
  queue.end(0);
  expect(await all(queue)).toEqual([1, 2, 3, 4, 5, 6, 7, 8 + 9 + 10 + 11 + 12, 100 + 1, 0]);
});

it("slows down by the characters of what it joined", async () => {
  const queue = new EventQueue<string>((a, b) => a + b);
  const reading = queue.read(nothing);
  const half = "x".repeat(150_000);
  for (let n = 0; n < 8; n++) queue.push("a");
  expect(queue.push(half, half.length)).toBeUndefined();
  const room = queue.push(half, half.length);
  expect(room).toBeInstanceOf(Promise);
  for (let n = 0; n < 8; n++) await reading.next();
  void reading.next();
  await room;
});
