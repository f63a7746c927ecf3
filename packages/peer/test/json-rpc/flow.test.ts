import { memoryPair } from "@editwire/transport";
import { describe, expect, it } from "vitest";
import { jsonRpcPeer, type JsonRpcOptions } from "../../src/index.js";
import { deferred, handlerOf, rejection, turn } from "./support.js";
import { Wire } from "./wire.js";

/** A peer whose notification handlers finish when the test says: one by one, in order of their sessions. */
function open(options: JsonRpcOptions) {
  const wire = new Wire();
  const peer = jsonRpcPeer(wire, options);
  const running: (() => void)[] = [];
  let sessions = 0;
  peer.serve(
    handlerOf({
      request: (_method, params) => "x".repeat((params as { size: number }).size),
      notification: (method) => (method === "sync" ? undefined : new Promise<void>((resolve) => running.push(resolve))),
      session: () => String(sessions++),
    }),
  );
  const finish = async (count: number): Promise<void> => {
    for (const done of running.splice(0, count)) done();
    await turn();
  };
  const settled = async (gate: void | Promise<void>): Promise<boolean> => {
    let open = false;
    void Promise.resolve(gate).then(() => (open = true));
    await turn();
    return open;
  };
  return { wire, peer, running, finish, settled };
}

describe("unhandled notifications", () => {
  it("pause reading at the limit, and let it go on below half of it", async () => {
    const { wire, finish, settled } = open({ maxUnhandled: 4 });
    expect([wire.notify("a"), wire.notify("a"), wire.notify("a")]).toEqual([undefined, undefined, undefined]);
    const gate = wire.notify("a");
    expect(gate).toBeInstanceOf(Promise);
    expect(wire.notify("a")).toBe(gate);
    await finish(3);
    expect(await settled(gate)).toBe(false);
    await finish(1);
    expect(await settled(gate)).toBe(true);
    expect(wire.notify("a")).toBeUndefined();
  });

  it("count while they wait in a lane, too", () => {
    const wire = new Wire();
    jsonRpcPeer(wire, { maxUnhandled: 3 }).serve(handlerOf({ notification: () => new Promise(() => {}) }));
    expect([wire.notify("a"), wire.notify("a")]).toEqual([undefined, undefined]);
    expect(wire.notify("a")).toBeInstanceOf(Promise);
  });

  it("never pause reading when their handlers return no promise", () => {
    const { wire } = open({ maxUnhandled: 1 });
    for (let n = 0; n < 1_000; n++) expect(wire.notify("sync")).toBeUndefined();
  });

  it("do not pause reading while a call awaits its reply, and do again once it has it", async () => {
    const { wire, peer } = open({ maxUnhandled: 2 });
    const call = peer.request("ask", {}, { settle: "now" });
    for (let n = 0; n < 100; n++) expect(wire.notify("a")).toBeUndefined();
    expect(wire.answer(1, "yes")).toBeInstanceOf(Promise);
    expect(await call).toBe("yes");
  });

  it("pause reading while only calls wait whose reply follows a stream", () => {
    const { wire, peer } = open({ maxUnhandled: 2 });
    peer.request("prompt", {}, { streams: true }).catch(() => {});
    wire.notify("a");
    expect(wire.notify("a")).toBeInstanceOf(Promise);
  });

  it("let reading go on when a handler makes a call", async () => {
    const { wire, peer, settled } = open({ maxUnhandled: 2 });
    wire.notify("a");
    const gate = wire.notify("a");
    peer.request("prompt", {}, { streams: true }).catch(() => {});
    expect(await settled(gate)).toBe(false);
    const call = peer.request("ask", {}, { settle: "now" });
    expect(await settled(gate)).toBe(true);
    wire.answer(2, "yes");
    expect(await call).toBe("yes");
  });

  it("fail the calls whose reply lies behind too many of them", async () => {
    const { wire, peer, finish, settled } = open({ maxUnhandled: 2, maxQueued: 5 });
    const call = rejection(peer.request("ask", {}));
    const stream = peer.request("prompt", {}, { streams: true, settle: "now" });
    for (let n = 0; n < 4; n++) expect(wire.notify("a")).toBeUndefined();
    const gate = wire.notify("a");
    expect(gate).toBeInstanceOf(Promise);
    expect(await call).toMatchObject({
      code: "overloaded",
      message: "ask: the reply is waiting behind 5 unhandled notifications",
    });
    const count = wire.texts.length;
    expect(await rejection(peer.request("ask", {}))).toMatchObject({ code: "overloaded" });
    expect(wire.texts).toHaveLength(count);
    await finish(5);
    expect(await settled(gate)).toBe(true);
    wire.answer(2, "end");
    expect(await stream).toBe("end");
  });

  it("pause reading at 262,144 characters, however few they are, and let it go on below half of them", async () => {
    const { wire, finish, settled } = open({});
    const text = "x".repeat(100_000);
    expect([wire.notify("a", { text }), wire.notify("a", { text })]).toEqual([undefined, undefined]);
    const gate = wire.notify("a", { text });
    expect(gate).toBeInstanceOf(Promise);
    await finish(1);
    expect(await settled(gate)).toBe(false);
    await finish(1);
    expect(await settled(gate)).toBe(true);
  });

  it("pause reading at 12 Mi characters while a call awaits its reply, and fail the call", async () => {
    const { wire, peer } = open({});
    const call = rejection(peer.request("ask", {}));
    const text = "x".repeat(1_048_576);
    for (let n = 0; n < 11; n++) expect(wire.notify("a", { text })).toBeUndefined();
    expect(wire.notify("a", { text })).toBeInstanceOf(Promise);
    expect(await call).toMatchObject({ code: "overloaded" });
  });

  it("hold nothing back after the end", async () => {
    const { wire, peer, settled } = open({ maxUnhandled: 1 });
    const gate = wire.notify("a");
    await peer.close();
    expect(await settled(gate)).toBe(true);
  });
});

describe("answers that the peer does not take", () => {
  it("pause reading above a mebibyte until there is room", async () => {
    const { wire, settled } = open({});
    const room = deferred();
    wire.room = room.promise;
    expect(wire.request(1, "read", { size: 500_000 })).toBeUndefined();
    expect(wire.request(2, "read", { size: 500_000 })).toBeUndefined();
    const gate = wire.request(3, "read", { size: 500_000 });
    expect(gate).toBeInstanceOf(Promise);
    expect(await settled(gate)).toBe(false);
    room.resolve();
    expect(await settled(gate)).toBe(true);
    wire.room = undefined;
    expect(wire.request(4, "read", { size: 500_000 })).toBeUndefined();
  });

  it("do not pause reading while the peer owes an answer, even to a call that was given up", async () => {
    const { wire, peer, settled } = open({});
    wire.room = new Promise(() => {});
    const call = peer.request("prompt", {}, { streams: true, settle: "now" });
    expect(wire.request(1, "read", { size: 2_000_000 })).toBeUndefined();
    const gate = wire.answer(1, "end");
    expect(await call).toBe("end");
    expect(await settled(gate)).toBe(false);
    const controller = new AbortController();
    const given = rejection(peer.request("ask", {}, { signal: controller.signal }));
    expect(await settled(gate)).toBe(true);
    controller.abort();
    await given;
    expect(wire.request(2, "read", { size: 1 })).toBeUndefined();
    expect(wire.answer(2, "late")).toBeInstanceOf(Promise);
  });
});

describe("two peers", () => {
  it("slow a producer down to its consumer", async () => {
    const [a, b] = memoryPair({ highWaterMark: 1_024 });
    const [producer, consumer] = [jsonRpcPeer(a), jsonRpcPeer(b, { maxUnhandled: 8 })];
    let [sent, handled, furthest] = [0, 0, 0];
    const done = deferred();
    consumer.serve(
      handlerOf({
        async notification() {
          await turn();
          furthest = Math.max(furthest, sent - handled);
          if (++handled === 500) done.resolve();
        },
      }),
    );
    producer.serve(handlerOf());
    const text = "x".repeat(100);
    while (sent < 500) {
      sent++;
      await producer.notify("chunk", { text });
    }
    await done.promise;
    expect(furthest).toBeLessThan(30);
    await producer.close();
  });

  it("ask each other for more than both directions hold, and both are answered", async () => {
    const [a, b] = memoryPair({ highWaterMark: 16 * 1_024 });
    const [left, right] = [jsonRpcPeer(a), jsonRpcPeer(b)];
    const big = "x".repeat(100_000);
    for (const peer of [left, right]) peer.serve(handlerOf({ request: () => big }));
    const calls = Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? left : right).request("read", {}));
    expect((await Promise.all(calls)).every((result) => result === big)).toBe(true);
    await left.close();
  });

  it("flood each other with notifications, calls and big answers, and both get through", async () => {
    const [a, b] = memoryPair({ highWaterMark: 16 * 1_024 });
    const rounds = 100;
    const big = "x".repeat(100_000);
    const flood = (transport: typeof a) => {
      const peer = jsonRpcPeer(transport, { maxUnhandled: 8, maxRequests: 4 * rounds });
      const handled = deferred();
      let count = 0;
      let session = 0;
      peer.serve(
        handlerOf({
          request: async (method) => (await turn(), method === "read" ? big : method),
          async notification() {
            await turn();
            await peer.request("small", {}, { settle: "now" });
            if (++count === rounds) handled.resolve();
          },
          session: (method) => (method === "event" ? String(session++ % 4) : "calls"),
        }),
      );
      const run = async (): Promise<void> => {
        const calls: Promise<unknown>[] = [];
        for (let n = 0; n < rounds; n++) {
          await peer.notify("event", { big });
          calls.push(peer.request("read", {}));
        }
        expect((await Promise.all(calls)).every((result) => result === big)).toBe(true);
        await handled.promise;
      };
      return { peer, run };
    };
    const [left, right] = [flood(a), flood(b)];
    await Promise.all([left.run(), right.run()]);
    await left.peer.close();
  });
});
