import type { Peer } from "@editwire/core";
import { WireError } from "@editwire/core/errors";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { jsonRpcPeer } from "../../src/index.js";
import { type Deferred, deferred, handlerOf, listener, turn } from "./support.js";
import { Wire } from "./wire.js";

type Params = { s?: string; hold?: string } | undefined;

/** A peer whose handlers log, and hold as long as the test says. */
function open() {
  const wire = new Wire();
  const peer = jsonRpcPeer(wire);
  const log: string[] = [];
  const holds: Record<string, Deferred> = {};
  const hold = (name: string): Deferred => (holds[name] ??= deferred());
  const recorded = listener();
  const handle = (method: string, params: unknown): void | Promise<void> => {
    const { hold: name } = (params ?? {}) as NonNullable<Params>;
    if (name === undefined) return void log.push(method);
    log.push(`${method}…`);
    return hold(name).promise.then(() => void log.push(`…${method}`));
  };
  peer.serve(
    handlerOf({
      ...recorded.callbacks,
      request: handle,
      notification: handle,
      session: (_method, params) => (params as Params)?.s,
    }),
  );
  const call = (method: string, options?: Parameters<typeof peer.request>[2]): Promise<void> =>
    peer.request(method, {}, options).then((result) => void log.push(`${method} = ${String(result)}`));
  return { wire, peer, log, hold, call, ...recorded };
}

describe("dispatch", () => {
  it("happens while the transport delivers, with nothing in between", () => {
    const { wire, log } = open();
    wire.notify("a");
    wire.request(1, "b");
    wire.notify("c");
    expect(log).toEqual(["a", "b", "c"]);
  });

  it("keeps a lane to itself until a notification's promise settles", async () => {
    const { wire, log, hold } = open();
    wire.notify("a", { hold: "a" });
    wire.notify("b", { hold: "b" });
    wire.request(1, "c");
    wire.notify("d");
    expect(log).toEqual(["a…"]);
    hold("a").resolve();
    await turn();
    expect(log).toEqual(["a…", "…a", "b…"]);
    hold("b").resolve();
    await turn();
    expect(log).toEqual(["a…", "…a", "b…", "…b", "c", "d"]);
    wire.notify("e");
    expect(log.at(-1)).toBe("e");
  });

  it("goes on in other lanes, and in the lane of messages without a session", () => {
    const { wire, log } = open();
    wire.notify("one", { s: "1", hold: "x" });
    wire.notify("two", { s: "2" });
    wire.notify("none");
    wire.notify("one again", { s: "1" });
    expect(log).toEqual(["one…", "two", "none"]);
  });

  it("does not hold a lane for a request, however long it runs", () => {
    const { wire, log } = open();
    wire.request(1, "prompt", { s: "1", hold: "x" });
    wire.notify("cancel", { s: "1" });
    expect(log).toEqual(["prompt…", "cancel"]);
  });

  it("goes on after a queued handler rejects", async () => {
    const { wire, log, hold, errors } = open();
    wire.notify("a", { hold: "a" });
    wire.notify("b");
    const bug = new Error("bug");
    hold("a").reject(bug);
    await turn();
    expect(log).toEqual(["a…", "b"]);
    expect(errors).toEqual([bug]);
  });

  it("still handles after the end what came before it, but starts no request", async () => {
    const { wire, log, hold } = open();
    wire.notify("a", { hold: "a" });
    wire.notify("b");
    wire.request(1, "c");
    wire.end(new WireError("closed", "gone"));
    hold("a").resolve();
    await turn();
    expect(log).toEqual(["a…", "…a", "b"]);
  });
});

describe("a request in a busy lane", () => {
  it("waits for the handler before it, whatever was called before that handler was entered", async () => {
    const { wire, log, hold, call } = open();
    void call("earlier").catch(() => {});
    wire.notify("a", { hold: "a" });
    wire.request(1, "b");
    await turn();
    expect(log).toEqual(["a…"]);
    hold("a").resolve();
    await turn();
    expect(log).toEqual(["a…", "…a", "b"]);
  });

  it("does not wait for a handler that may wait for a call, which the peer may only answer then", async () => {
    const { wire, log, hold, call } = open();
    wire.notify("a", { hold: "a" });
    wire.notify("behind a");
    const done = call("ask");
    wire.request(1, "b");
    expect(log).toEqual(["a…", "b"]);
    wire.answer(1, "yes");
    await done;
    wire.request(2, "c");
    expect(log).toEqual(["a…", "b", "ask = yes"]);
    hold("a").resolve();
    await turn();
    expect(log).toEqual(["a…", "b", "ask = yes", "…a", "behind a", "c"]);
  });

  it("starts when the handler before it makes a call later, in the order of arrival", async () => {
    const { wire, log, call } = open();
    wire.notify("a", { hold: "a" });
    wire.request(1, "b");
    wire.notify("behind a");
    wire.request(2, "c");
    void call("ask").catch(() => {});
    expect(log).toEqual(["a…"]);
    await turn();
    expect(log).toEqual(["a…", "b", "c"]);
  });

  it("does not wait either while the reply to that call waits for its turn", async () => {
    const { wire, log, hold, call } = open();
    wire.notify("a", { s: "1", hold: "a" });
    const done = call("ask");
    wire.notify("b", { s: "2", hold: "b" });
    wire.answer(1, "yes");
    wire.request(1, "c", { s: "1" });
    expect(log).toEqual(["a…", "b…", "c"]);
    hold("b").resolve();
    await done;
  });

  it("waits while only calls are awaited whose reply follows a stream", async () => {
    const { wire, log, call } = open();
    wire.notify("a", { hold: "a" });
    void call("prompt", { streams: true }).catch(() => {});
    wire.request(1, "b");
    await turn();
    expect(log).toEqual(["a…"]);
  });
});

describe("a reply", () => {
  it("settles its call after the handlers of everything that came before it, in every lane", async () => {
    const { wire, log, hold, call } = open();
    const done = call("ask");
    wire.notify("one", { s: "1", hold: "1" });
    wire.notify("two", { s: "2", hold: "2" });
    wire.notify("one again", { s: "1" });
    wire.answer(1, "yes");
    wire.notify("after", { s: "1", hold: "never" });
    hold("2").resolve();
    await turn();
    expect(log).toEqual(["one…", "two…", "…two"]);
    hold("1").resolve();
    await done;
    expect(log).toEqual(["one…", "two…", "…two", "…one", "one again", "after…", "ask = yes"]);
  });

  it("settles at once when the caller orders for itself", async () => {
    const { wire, log, call } = open();
    const done = call("ask", { settle: "now" });
    wire.notify("slow", { hold: "never" });
    wire.answer(1, "yes");
    await done;
    expect(log).toEqual(["slow…", "ask = yes"]);
  });

  it.each(["now", "ordered"] as const)(
    "calls onReply before a later message is handled, with settle %s",
    async (settle) => {
      const { wire, log, call } = open();
      const done = call("ask", { settle, onReply: () => void log.push("reply") });
      wire.notify("before");
      wire.answer(1, "yes");
      wire.notify("after");
      expect(log).toEqual(["before", "reply", "after"]);
      await done;
    },
  );

  it("does not wait for the handler that waits for it", async () => {
    const wire = new Wire();
    const peer = jsonRpcPeer(wire);
    const got = deferred<unknown>();
    peer.serve(
      handlerOf({
        async notification(method) {
          if (method === "start") got.resolve(await peer.request("ask", {}));
        },
      }),
    );
    wire.notify("start");
    wire.notify("behind it");
    wire.answer(1, "yes");
    expect(await got.promise).toBe("yes");
  });

  it("waits for a lane that was busy, became free and is busy again", async () => {
    const { wire, log, hold, call } = open();
    wire.notify("a", { hold: "a" });
    const done = call("ask");
    hold("a").resolve();
    await turn();
    wire.notify("b", { hold: "b" });
    wire.answer(1, "yes");
    await turn();
    expect(log).toEqual(["a…", "…a", "b…"]);
    hold("b").resolve();
    await done;
  });

  it("settles with its result even when the connection ends before its turn", async () => {
    const { wire, log, hold, call } = open();
    const done = call("ask");
    wire.notify("last words", { hold: "x" });
    wire.answer(1, "yes");
    wire.end(new WireError("closed", "gone"));
    hold("x").resolve();
    await done;
    expect(log).toEqual(["last words…", "…last words", "ask = yes"]);
  });

  it("lets two handlers in two lanes call at the same time", async () => {
    const wire = new Wire();
    const peer = jsonRpcPeer(wire);
    const log: unknown[] = [];
    const both = deferred();
    peer.serve(
      handlerOf({
        session: (method) => method,
        notification: async (method) => {
          log.push(await peer.request(method, {}));
          if (log.length === 2) both.resolve();
        },
      }),
    );
    wire.notify("one");
    wire.notify("two");
    wire.answer(1, "first");
    wire.answer(2, "second");
    await both.promise;
    expect(log.sort()).toEqual(["first", "second"]);
  });
});

describe("a handler that awaits a call which was made before it started", () => {
  /** The call's reply comes behind a notification whose handler awaits the call. */
  async function stuck(options?: Parameters<Peer["request"]>[2]) {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const wire = new Wire();
    const peer = jsonRpcPeer(wire);
    const recorded = listener();
    const call = peer.request("first", {}, options);
    const handled = deferred();
    const ended = call.then(
      () => undefined,
      (error: unknown) => error,
    );
    peer.serve(handlerOf({ ...recorded.callbacks, notification: () => ended.then(() => handled.resolve()) }));
    wire.notify("note");
    wire.answer(1, "fine");
    return { peer, wire, ended, handled: handled.promise, ...recorded };
  }

  it("is reported once, after ten seconds", async () => {
    const { peer, diagnostics, ended } = await stuck();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(diagnostics).toEqual([]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(diagnostics).toEqual([
      {
        id: "peer.reply-waits",
        method: "first",
        message:
          "the reply came 10 s ago and waits for handlers of notifications that came before it; " +
          'a handler that awaits this call waits forever, unless the call is made with settle: "now"',
      },
    ]);
    await peer.close();
    expect(vi.getTimerCount()).toBe(0);
    await Promise.race([ended, vi.advanceTimersByTimeAsync(1)]);
  });

  it("goes on when the call's time is over, with an error that names the cause", async () => {
    const { ended, handled, diagnostics } = await stuck({ timeoutMs: 5_000 });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await ended).toMatchObject({
      code: "timeout",
      message: "first: the reply came, but within 5000 ms handlers of earlier notifications did not finish",
    });
    await handled;
    expect(vi.getTimerCount()).toBe(0);
    expect(diagnostics).toEqual([]);
  });

  it('does not wait with settle: "now"', async () => {
    const { ended, handled } = await stuck({ settle: "now" });
    expect(await ended).toBeUndefined();
    await handled;
  });
});
