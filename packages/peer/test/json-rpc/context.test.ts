import type { PeerContext } from "@editwire/core";
import { RemoteError, WireError } from "@editwire/core/errors";
import { describe, expect, it } from "vitest";
import { jsonRpcPeer, type JsonRpcOptions } from "../../src/index.js";
import { deferred, handlerOf, listener, turn } from "./support.js";
import { Wire } from "./wire.js";

/** A peer that logs what it sends and what its actions do, in one list. */
function open(run: (context: PeerContext, log: (text: string) => void) => unknown) {
  const wire = new Wire();
  const log: string[] = [];
  const recorded = listener();
  const onWire: JsonRpcOptions["onWire"] = (direction, message) => {
    if (direction === "out") log.push("result" in (message as object) ? "answer" : "error");
  };
  const peer = jsonRpcPeer(wire, { onWire });
  const handle = (_method: string, _params: unknown, context: PeerContext): unknown =>
    run(context, (text) => log.push(text));
  peer.serve(handlerOf({ ...recorded.callbacks, request: handle, notification: handle as () => void }));
  return { wire, peer, log, ...recorded };
}

describe("afterReply", () => {
  it("runs its actions right after the answer is sent, in order", () => {
    const { wire, log } = open(({ afterReply }, say) => {
      afterReply(() => say("first"));
      afterReply(() => say("second"));
      say("handler");
    });
    wire.request(1, "a");
    expect(log).toEqual(["handler", "answer", "first", "second"]);
  });

  it("does so for a promise and for an error, too", async () => {
    const { wire, log } = open(async ({ id, afterReply }, say) => {
      afterReply(() => say(`after ${String(id)}`));
      await turn();
      if (id === 2) throw RemoteError.invalidRequest("no");
    });
    wire.request(1, "a");
    await turn();
    await turn();
    wire.request(2, "a");
    await turn();
    await turn();
    expect(log).toEqual(["answer", "after 1", "error", "after 2"]);
  });

  it("runs after a notification's handler, however that ends", async () => {
    const held = deferred();
    const { wire, log, errors } = open(({ afterReply }, say) => {
      afterReply(() => say("after"));
      say("handler");
      if (log.length === 1) throw new Error("thrown");
      return held.promise;
    });
    wire.notify("a");
    expect(log).toEqual(["handler", "after"]);
    wire.notify("a");
    expect(log).toEqual(["handler", "after", "handler"]);
    held.resolve();
    await turn();
    expect(log).toEqual(["handler", "after", "handler", "after"]);
    expect(errors).toEqual([new Error("thrown")]);
  });

  it("runs at once when the answer is gone already", () => {
    let kept: PeerContext | undefined;
    const { wire, log } = open((context) => void (kept = context));
    wire.request(1, "a");
    kept?.afterReply(() => log.push("late"));
    expect(log).toEqual(["answer", "late"]);
  });

  it("reports an action that throws, and runs the next", () => {
    const { wire, log, errors } = open(({ afterReply }, say) => {
      afterReply(() => {
        throw new Error("bug");
      });
      afterReply(() => say("next"));
    });
    wire.request(1, "a");
    expect(log).toEqual(["answer", "next"]);
    expect(errors).toEqual([new Error("bug")]);
  });

  it("never runs for a request that is not answered, because the connection ended", async () => {
    const held = deferred();
    const { wire, log } = open(({ afterReply }, say) => {
      afterReply(() => say("after"));
      return held.promise;
    });
    wire.request(1, "a");
    wire.end(new WireError("closed", "gone"));
    held.resolve();
    await turn();
    expect(log).toEqual([]);
  });
});

describe("signal", () => {
  it("is one and the same however often it is looked at, and another for each message", () => {
    const signals: AbortSignal[] = [];
    const { wire } = open((context) => {
      expect(context.signal).toBe(context.signal);
      signals.push(context.signal);
    });
    wire.notify("a");
    wire.notify("b");
    wire.request(1, "c");
    expect(new Set(signals).size).toBe(3);
  });

  it("is left alone by the end once its message is dealt with", () => {
    const signals: AbortSignal[] = [];
    const { wire } = open(({ signal }) => void signals.push(signal));
    wire.notify("a");
    wire.request(1, "b");
    wire.end(new WireError("closed", "gone"));
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  });
});
