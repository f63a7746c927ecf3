import type { PeerHandler } from "@editwire/core";
import { contentLength, type Codec, ndjson } from "@editwire/framing";
import { jsonRpcPeer } from "@editwire/peer";
import { type ByteStreamEvents, byteStreamTransport } from "@editwire/transport";
import { describe, expect, it } from "vitest";
import { messageOf, updateOf } from "../src/corpus.js";
import { countCosts } from "./counting.js";

/** A peer over a stream that the test holds the other end of. */
function peerOver(codec: Codec, handler: Partial<PeerHandler> = {}) {
  const writes: string[] = [];
  let events: ByteStreamEvents | undefined;
  const nothing = (): void => {};
  const transport = byteStreamTransport(
    {
      open: (listener) => void (events = listener),
      write: (data) => writes.push(typeof data === "string" ? data : Buffer.from(data).toString()) > 0,
      pause: nothing,
      resume: nothing,
      end: nothing,
      destroy: nothing,
    },
    codec,
  );
  const peer = jsonRpcPeer(transport);
  peer.serve({ request: (_method, params) => params, notification() {}, ...handler });
  return { peer, writes, receive: (chunk: Uint8Array) => events?.data(chunk) };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const text = "I'll start with the failing test, then look at the reader that drops the last line.";

/** `count` notifications as one run of bytes. */
function bytesOf(codec: Codec, count: number, content = text): Buffer {
  const framer = codec.open();
  return Buffer.from(
    Array.from({ length: count }, () => framer.encode(JSON.stringify(messageOf(updateOf(content))))).join(""),
  );
}

function chunksOf(data: Buffer, size: number): Buffer[] {
  const chunks: Buffer[] = [];
  for (let from = 0; from < data.length; from += size) chunks.push(data.subarray(from, from + size));
  return chunks;
}

describe("what a message costs, counted", () => {
  it("writes once a tick, and joins nothing", async () => {
    const { peer, writes } = peerOver(ndjson());
    await turn();
    const params = updateOf(text);
    void peer.notify("session/update", params); // The first send of a process also listens for its exit.
    await turn();
    writes.length = 0;
    const costs = await countCosts(() => {
      for (let i = 0; i < 100; i += 1) void peer.notify("session/update", params);
    });
    expect(writes).toHaveLength(1);
    expect(costs.asyncResources).toBeLessThanOrEqual(1); // the callback at the end of the tick
    expect(costs.copies).toBe(0);
    expect(costs.buffers).toBeLessThanOrEqual(1);
  });

  it("writes awaited notifications in blocks", async () => {
    const { peer, writes } = peerOver(ndjson());
    await turn();
    for (let i = 0; i < 1_000; i += 1) await peer.notify("session/update", updateOf(text));
    await turn();
    const bytes = bytesOf(ndjson(), 1_000).length;
    expect(Buffer.from(writes.join(""))).toHaveLength(bytes);
    expect(writes.length).toBeLessThanOrEqual(Math.ceil(bytes / (64 * 1024)));
  });

  it.each([
    ["ndjson", ndjson()],
    ["content-length", contentLength()],
  ])("receives %s without a copy, a promise or a timer for a message", async (_name, codec) => {
    let handled = 0;
    const { receive } = peerOver(codec, { notification: () => void (handled += 1) });
    await turn();
    const chunks = chunksOf(bytesOf(codec, 1_000), 64 * 1024);
    const costs = await countCosts(() => chunks.forEach(receive));
    expect(handled).toBe(1_000);
    expect(costs.asyncResources).toBeLessThanOrEqual(1); // the timer that watches an unfinished message
    // A message that two chunks share is put together; no other is touched.
    expect(costs.copies).toBeLessThanOrEqual(2 * chunks.length);
    expect(costs.buffers).toBeLessThanOrEqual(2 * chunks.length);
    expect(costs.texts).toBeGreaterThan(0);
    if (codec.name === "ndjson") expect(costs.texts).toBeLessThanOrEqual(3 * chunks.length);
  });

  it("makes one text a message of what is not ASCII, and copies nothing", async () => {
    let handled = 0;
    const { receive } = peerOver(ndjson(), { notification: () => void (handled += 1) });
    await turn();
    const chunks = chunksOf(bytesOf(ndjson(), 1_000, "まず失敗しているテストを読みます 🎉"), 64 * 1024);
    const costs = await countCosts(() => chunks.forEach(receive));
    expect(handled).toBe(1_000);
    expect(costs.texts).toBeLessThanOrEqual(1_000 + 3 * chunks.length);
    expect(costs.copies).toBeLessThanOrEqual(2 * chunks.length);
    expect(costs.asyncResources).toBeLessThanOrEqual(1); // the timer that watches an unfinished message
  });

  it("copies each byte of a message in many chunks a bounded number of times", async () => {
    let handled = 0;
    const { receive } = peerOver(ndjson(), { notification: () => void (handled += 1) });
    await turn();
    const costOf = async (size: number): Promise<number> => {
      const chunks = chunksOf(bytesOf(ndjson(), 1, "x".repeat(size)), 4 * 1024);
      let copied = 0;
      const set = Uint8Array.prototype.set;
      Uint8Array.prototype.set = function (this: Uint8Array, source: ArrayLike<number>, offset?: number): void {
        copied += source.length;
        set.call(this, source, offset);
      };
      try {
        chunks.forEach(receive);
      } finally {
        Uint8Array.prototype.set = set;
      }
      return copied / size;
    };
    expect(await costOf(100_000)).toBeLessThan(4);
    expect(await costOf(3_200_000)).toBeLessThan(4);
    expect(handled).toBe(2);
  });

  it("answers the requests of one chunk in one write", async () => {
    const { writes, receive } = peerOver(ndjson());
    await turn();
    const requests = Array.from(
      { length: 50 },
      (_, id) => `${JSON.stringify({ jsonrpc: "2.0", id, method: "_bench/echo", params: { id } })}\n`,
    );
    receive(Buffer.from(requests.join("")));
    await turn();
    expect(writes).toHaveLength(1);
    expect(writes[0]?.trimEnd().split("\n")).toHaveLength(50);
  });

  it("writes what a handler sends and its answer together, after all promise jobs of the tick", async () => {
    const { peer, writes, receive } = peerOver(ndjson(), {
      async request(_method, params) {
        await peer.notify("_bench/update", { n: 1 });
        for (let i = 0; i < 10; i += 1) await undefined; // microtasks belong to the tick
        await peer.notify("_bench/update", { n: 2 });
        return params;
      },
    });
    await turn();
    receive(Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "_bench/echo", params: {} })}\n`));
    await turn();
    expect(writes.map((text) => text.trimEnd().split("\n").length)).toEqual([3]);
  });

  it("makes one promise for a call", async () => {
    const { peer, writes, receive } = peerOver(ndjson());
    await turn();
    const costs = await countCosts(() => {
      for (let i = 0; i < 100; i += 1) void peer.request("_bench/echo", { i });
    });
    expect(writes).toHaveLength(1);
    expect(costs.asyncResources).toBeLessThanOrEqual(100 + 2); // the promises that the callers get
    receive(
      Buffer.from(Array.from({ length: 100 }, (_, i) => `{"jsonrpc":"2.0","id":${i + 1},"result":{}}\n`).join("")),
    );
    await turn();
  });
});
