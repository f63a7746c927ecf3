import type { PeerContext } from "@editwire/core";
import { RemoteError, WireError } from "@editwire/core/errors";
import { getEventListeners } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { type CancelMessage, jsonRpcPeer } from "../../src/index.js";
import { JsonRpcErrorCode } from "../../src/json-rpc/options.js";
import { deferred, handlerOf, listener, rejection, turn } from "./support.js";
import { Wire } from "./wire.js";

const cancel: CancelMessage = {
  method: "$/cancelRequest",
  params: (id) => ({ id }),
  idOf: (params) => (params as { id: string | number }).id,
};

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
}

function open(handler: Parameters<typeof handlerOf>[0] = {}) {
  const wire = new Wire();
  const peer = jsonRpcPeer(wire, { cancel });
  const recorded = listener();
  peer.serve(handlerOf({ ...recorded.callbacks, ...handler }));
  return { wire, peer, ...recorded };
}

describe("canceling our call", () => {
  it("sends the cancel message, rejects at once and drops the late answer", async () => {
    const { wire, peer, diagnostics } = open();
    const controller = new AbortController();
    const call = rejection(peer.request("slow", {}, { signal: controller.signal }));
    controller.abort("enough");
    expect(await call).toMatchObject({ name: "WireError", code: "aborted", message: "slow: aborted", cause: "enough" });
    expect(wire.sent[1]).toEqual({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: 1 } });
    wire.answer(1, "late");
    expect(diagnostics).toEqual([]);
    wire.answer(1, "again");
    expect(diagnostics.map(({ id }) => id)).toEqual(["rpc.unknown-response"]);
  });

  it("drops a late answer that has no result, too", async () => {
    const { wire, peer, diagnostics } = open();
    const controller = new AbortController();
    const call = rejection(peer.request("slow", {}, { signal: controller.signal }));
    controller.abort();
    await call;
    wire.receive({ jsonrpc: "2.0", id: 1 });
    expect(wire.texts).toHaveLength(2);
    expect(diagnostics).toEqual([]);
  });

  it("waits for the answer when the caller wants it, and then asks the peer once", async () => {
    const { wire, peer } = open();
    const controller = new AbortController();
    const call = peer.request("slow", {}, { signal: controller.signal, abort: "wait" });
    controller.abort();
    expect(wire.sent.slice(1)).toEqual([{ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: 1 } }]);
    wire.answer(1, "cancelled");
    expect(await call).toBe("cancelled");
  });

  it("tells the peer when the time is up, too", async () => {
    const { wire, peer } = open();
    const error = await rejection(peer.request("slow", {}, { timeoutMs: 1 }));
    expect(error).toMatchObject({ code: "timeout", message: "slow: no reply within 1 ms" });
    expect(wire.sent[1]).toMatchObject({ method: "$/cancelRequest", params: { id: 1 } });
  });

  it("sends nothing when there is no cancel message, or nobody left to send it to", async () => {
    const wire = new Wire();
    const peer = jsonRpcPeer(wire);
    peer.serve(handlerOf());
    const controller = new AbortController();
    const call = rejection(peer.request("slow", {}, { signal: controller.signal }));
    controller.abort();
    expect(await call).toMatchObject({ code: "aborted" });
    expect(wire.texts).toHaveLength(1);
  });

  it("reports a cancel message that cannot be sent", async () => {
    const { wire, peer, errors } = open();
    const controller = new AbortController();
    const call = rejection(peer.request("slow", {}, { signal: controller.signal }));
    wire.refusal = new WireError("overloaded", "too slow");
    controller.abort();
    expect(await call).toMatchObject({ code: "aborted" });
    expect(errors).toEqual([wire.refusal]);
  });

  it("releases the signal and the timer however the call ends", async () => {
    vi.useFakeTimers();
    try {
      const { wire, peer } = open();
      const { signal } = new AbortController();
      const calls = [
        peer.request("a", {}, { signal, timeoutMs: 10_000 }),
        peer.request("b", {}, { signal, timeoutMs: 10_000 }),
      ];
      const last = rejection(peer.request("c", {}, { signal, timeoutMs: 10_000 }));
      expect(getEventListeners(signal, "abort")).toHaveLength(1);
      wire.answer(1, "fine");
      wire.receive({ jsonrpc: "2.0", id: 2, error: { code: 1, message: "no" } });
      await expect(calls[0]).resolves.toBe("fine");
      await expect(calls[1]).rejects.toBeInstanceOf(RemoteError);
      wire.end(new WireError("closed", "gone"));
      await last;
      expect(getEventListeners(signal, "abort")).toHaveLength(0);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([Infinity, 2 ** 31, NaN])("sets no timer for %d ms", (timeoutMs) => {
    vi.useFakeTimers();
    try {
      const { peer } = open();
      peer.request("a", {}, { timeoutMs }).catch(() => {});
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("still rejects while the reply waits for its turn, without telling the peer", async () => {
    const stuck = deferred();
    const { wire, peer } = open({ notification: () => stuck.promise });
    const controller = new AbortController();
    const call = rejection(peer.request("a", {}, { signal: controller.signal }));
    wire.notify("busy");
    wire.answer(1, "fine");
    controller.abort();
    expect(await call).toMatchObject({ code: "aborted" });
    expect(wire.texts).toHaveLength(1);
    stuck.resolve();
  });
});

describe("a request of the peer that it cancels", () => {
  const contexts: PeerContext[] = [];
  const hanging = {
    request(_method: string, _params: unknown, context: PeerContext) {
      contexts.push(context);
      return new Promise(() => {});
    },
  };

  it("has its signal aborted, and no other", () => {
    contexts.length = 0;
    const { wire } = open(hanging);
    wire.request(1, "a");
    wire.request(2, "b");
    const [first, second] = contexts as [PeerContext, PeerContext];
    const seen = vi.fn();
    first.signal.addEventListener("abort", seen);
    wire.notify("$/cancelRequest", { id: 1 });
    expect(seen).toHaveBeenCalledOnce();
    expect(first.signal.reason).toMatchObject({ name: "WireError", code: "aborted" });
    expect(second.signal.aborted).toBe(false);
  });

  it("has an aborted signal from the start when it is looked at later", () => {
    contexts.length = 0;
    const { wire } = open(hanging);
    wire.request("x", "a");
    wire.notify("$/cancelRequest", { id: "x" });
    expect(contexts[0]?.signal.aborted).toBe(true);
    expect(contexts[0]?.signal).toBe(contexts[0]?.signal);
  });

  it("is cancelled past a busy lane, and before it starts", async () => {
    contexts.length = 0;
    const stuck = deferred();
    const { wire } = open({ ...hanging, notification: () => stuck.promise });
    wire.notify("busy");
    wire.request(1, "a");
    wire.notify("$/cancelRequest", { id: 1 });
    expect(contexts).toEqual([]);
    stuck.resolve();
    await turn();
    expect(contexts[0]?.signal.aborted).toBe(true);
  });

  it.each<[string, (signal: AbortSignal) => unknown]>([
    ["the signal's reason", untilAborted],
    [
      "an AbortError",
      (signal) => untilAborted(signal).catch(() => Promise.reject(new DOMException("stopped", "AbortError"))),
    ],
    [
      "a WireError aborted",
      (signal) => untilAborted(signal).catch(() => Promise.reject(new WireError("aborted", "a call of its own"))),
    ],
  ])("is answered -32800 when its handler rejects with %s", async (_name, request) => {
    const { wire, errors } = open({ request: (_method, _params, { signal }) => request(signal) });
    wire.request(1, "a");
    wire.notify("$/cancelRequest", { id: 1 });
    const error = { code: JsonRpcErrorCode.RequestCancelled, message: "Request cancelled" };
    expect(await wire.next()).toEqual({ jsonrpc: "2.0", id: 1, error });
    expect(errors).toEqual([]);
  });

  it("is answered with whatever else its handler makes of it", async () => {
    const { wire, errors } = open({
      request: async (method, _params, { signal }) => {
        await untilAborted(signal).catch(() => {});
        if (method === "partial") return { stopReason: "cancelled" };
        throw method === "remote" ? new RemoteError(-32001, "half done") : new TypeError("a bug");
      },
    });
    for (const [id, method] of ["partial", "remote", "bug"].entries()) {
      wire.request(id, method);
      wire.notify("$/cancelRequest", { id });
    }
    expect([await wire.next(), await wire.next(), await wire.next()]).toMatchObject([
      { id: 0, result: { stopReason: "cancelled" } },
      { id: 1, error: { code: -32001 } },
      { id: 2, error: { code: -32603 } },
    ]);
    expect(errors).toEqual([new TypeError("a bug")]);
  });

  it("is an internal error when its handler aborts without having been cancelled", () => {
    const aborted = new WireError("aborted", "a call of its own");
    const { wire, errors } = open({
      request: () => {
        throw aborted;
      },
    });
    wire.request(1, "a");
    expect(wire.sent).toMatchObject([{ id: 1, error: { code: -32603 } }]);
    expect(errors).toEqual([aborted]);
  });

  it("is not a concern of the handler's, nor are ids that are not in flight", () => {
    const { wire, errors, diagnostics } = open({ request: () => "done" });
    wire.request(1, "a");
    wire.notify("$/cancelRequest", { id: 1 });
    wire.notify("$/cancelRequest", { id: 99 });
    wire.notify("$/cancelRequest", {});
    expect([errors, diagnostics]).toEqual([[], []]);
    wire.notify("$/cancelRequest", null);
    expect(errors).toHaveLength(1);
    wire.request(2, "b");
    expect(wire.sent.map(({ result }) => result)).toEqual(["done", "done"]);
  });
});

describe("the end of the connection", () => {
  it("aborts the signals of requests and notifications alike", async () => {
    const signals: AbortSignal[] = [];
    const hang = (_method: string, _params: unknown, { signal }: PeerContext): Promise<void> => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const { wire } = open({ request: hang, notification: hang });
    wire.request(1, "a");
    wire.notify("b");
    const reason = new WireError("closed", "gone");
    wire.end(reason);
    expect(signals.map((signal) => signal.reason as unknown)).toEqual([reason, reason]);
  });

  it("is not a bug of a handler that stops for it", async () => {
    const { wire, errors } = open({ request: (_method, _params, { signal }) => untilAborted(signal) });
    wire.request(1, "a");
    wire.end(new WireError("closed", "gone"));
    await turn();
    expect(errors).toEqual([]);
  });
});
