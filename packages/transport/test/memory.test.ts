import { expect, it } from "vitest";
import { memoryPair } from "../src/index.js";
import { transportTests } from "./contract.js";
import { inProcess } from "./in-process.js";
import { NearEnd } from "./near-end.js";

transportTests(
  "memoryPair",
  async ({ maxQueuedBytes }) => {
    const [near, far] = memoryPair({ maxQueuedBytes });
    return inProcess(near, far, { garbage: () => void far.send("{oops") });
  },
  { limitsMessages: false, isKillable: false },
);

it("delivers the messages of one tick in one microtask, never inside send", async () => {
  const [left, right] = memoryPair();
  const { received } = new NearEnd(right);
  await Promise.resolve();
  left.send("[1]");
  left.send("[2]");
  expect(received).toEqual([]);
  await Promise.resolve();
  expect(received).toEqual([[1], [2]]);
});

it("shares nothing between its ends", async () => {
  const [left, right] = memoryPair();
  const { received } = new NearEnd(right);
  const value = { list: [1] };
  left.send(JSON.stringify(value));
  value.list.push(2);
  await new Promise(setImmediate);
  expect(received).toEqual([{ list: [1] }]);
});

it("keeps what was sent for an end that starts later, and the close behind it", async () => {
  const [left, right] = memoryPair();
  left.send("[1]");
  await left.close();
  const end = new NearEnd(right);
  expect((await end.closed).message).toBe("closed by the other end");
  expect(end.received).toEqual([[1]]);
});
