import { memoryPair } from "@editwire/transport";
import { describe, expect, it } from "vitest";
import { jsonRpcPeer } from "../../src/index.js";
import { JsonRpcErrorCode } from "../../src/json-rpc/options.js";
import { deferred, handlerOf, rejection, turn } from "./support.js";
import { Wire } from "./wire.js";

describe("maxRequests", () => {
  it("answers one request more at once, and takes new ones when there is room again", async () => {
    const wire = new Wire();
    const holds: ((value: unknown) => void)[] = [];
    jsonRpcPeer(wire, { maxRequests: 2 }).serve(
      handlerOf({ request: () => new Promise((resolve) => holds.push(resolve)) }),
    );
    for (const id of [1, 2, 3]) wire.request(id, "work");
    expect(wire.sent).toEqual([
      {
        jsonrpc: "2.0",
        id: 3,
        error: { code: JsonRpcErrorCode.TooManyRequests, message: "Too many requests in flight; the limit is 2" },
      },
    ]);
    expect(holds).toHaveLength(2);
    holds[0]?.("done");
    await turn();
    wire.request(4, "work");
    expect(holds).toHaveLength(3);
    expect(wire.sent.slice(1)).toEqual([{ jsonrpc: "2.0", id: 1, result: "done" }]);
  });

  it("counts requests that wait for their lane", async () => {
    const wire = new Wire();
    const busy = deferred();
    const started: string[] = [];
    jsonRpcPeer(wire, { maxRequests: 1 }).serve(
      handlerOf({
        notification: () => busy.promise,
        request: (method) => (started.push(method), new Promise(() => {})),
      }),
    );
    wire.notify("hold the lane");
    wire.request(1, "first");
    wire.request(2, "second");
    expect(wire.sent.map(({ id }) => id)).toEqual([2]);
    busy.resolve();
    await turn();
    expect(started).toEqual(["first"]);
  });

  it("is 1,024 unless told", () => {
    const wire = new Wire();
    jsonRpcPeer(wire).serve(handlerOf({ request: () => new Promise(() => {}) }));
    for (let id = 1; id <= 1_025; id++) wire.request(id, "work");
    expect(wire.sent.map(({ id }) => id)).toEqual([1_025]);
  });
});

describe("maxCalls", () => {
  it("rejects one call more at once and sends nothing, until another one is settled", async () => {
    const wire = new Wire();
    const peer = jsonRpcPeer(wire, { maxCalls: 2 });
    peer.serve(handlerOf());
    const first = peer.request("one", {});
    peer.request("two", {}, { streams: true }).catch(() => {});
    expect(await rejection(peer.request("three", {}))).toMatchObject({
      code: "overloaded",
      message: "three: 2 calls already wait for their replies, which is the limit (maxCalls)",
    });
    expect(wire.sent.map(({ method }) => method)).toEqual(["one", "two"]);
    wire.answer(1, "yes");
    expect(await first).toBe("yes");
    peer.request("four", {}).catch(() => {});
    expect(wire.sent.map(({ method }) => method)).toEqual(["one", "two", "four"]);
  });

  it("does not count calls that were given up", async () => {
    const wire = new Wire();
    const peer = jsonRpcPeer(wire, { maxCalls: 1 });
    peer.serve(handlerOf());
    expect(await rejection(peer.request("slow", {}, { timeoutMs: 1 }))).toMatchObject({ code: "timeout" });
    peer.request("next", {}).catch(() => {});
    expect(wire.sent.map(({ method }) => method)).toEqual(["slow", "next"]);
  });

  it("is 1,024 unless told", async () => {
    const wire = new Wire();
    const peer = jsonRpcPeer(wire);
    peer.serve(handlerOf());
    for (let n = 0; n < 1_024; n++) peer.request("ask", {}).catch(() => {});
    expect(await rejection(peer.request("ask", {}))).toMatchObject({ code: "overloaded" });
    expect(wire.sent).toHaveLength(1_024);
  });
});

describe("calls that were given up", () => {
  it("are remembered for their late replies, the latest 1,024 of them", async () => {
    const wire = new Wire();
    const peer = jsonRpcPeer(wire);
    const diagnostics: string[] = [];
    peer.serve(handlerOf({ diagnostic: ({ id }) => void diagnostics.push(id) }));
    const calls = Array.from({ length: 1_026 }, () => {
      const controller = new AbortController();
      const call = rejection(peer.request("slow", {}, { signal: controller.signal }));
      controller.abort();
      return call;
    });
    await Promise.all(calls);
    for (let id = 1; id <= 1_026; id++) wire.answer(id, "late");
    expect(diagnostics).toEqual(["rpc.unknown-response", "rpc.unknown-response"]);
  });
});

describe("a slow reader", () => {
  it("costs a call, not the connection, when the transport's queue is full", async () => {
    const [a, b] = memoryPair({ highWaterMark: 100, maxQueuedBytes: 1_000 });
    const [left, right] = [jsonRpcPeer(a), jsonRpcPeer(b)];
    left.serve(handlerOf());
    const calls = Array.from({ length: 50 }, () =>
      left.request("put", { text: "x".repeat(100) }).catch((error: unknown) => error),
    );
    right.serve(handlerOf({ request: () => "fine" }));
    const results = await Promise.all(calls);
    expect(results.filter((result) => result === "fine").length).toBeGreaterThan(0);
    expect(results.filter((result) => result !== "fine")).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: "WireError", code: "overloaded" })]),
    );
    expect(await left.request("put", {})).toBe("fine");
    await left.close();
  });
});
