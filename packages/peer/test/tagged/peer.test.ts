import { defineProtocol, type Peer, RemoteError, request } from "@editwire/core";
import { memoryPair } from "@editwire/transport";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { taggedPeer } from "../../src/index.js";
import { backendPeer, envelope, pluginPeer, recorder, tools, wire } from "./protocol.js";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function pair(request: (params: { callId: string; n: number }) => unknown) {
  const [a, b] = memoryPair();
  const backend = backendPeer(a);
  const plugin = pluginPeer(b);
  const atBackend = recorder();
  const atPlugin = recorder({ request: (_name, params) => request(params as never) });
  backend.serve(atBackend.callbacks);
  plugin.serve(atPlugin.callbacks);
  return { backend, plugin, atBackend, atPlugin };
}

describe("calls", () => {
  it("settles each call with the reply that names it, in any order", async () => {
    const waiting: (() => void)[] = [];
    const { backend } = pair(
      ({ callId, n }) => new Promise((resolve) => waiting.push(() => resolve({ callId, twice: 2 * n }))),
    );
    const calls = Array.from({ length: 50 }, (_, n) => backend.request("CALL", { callId: `c${n}`, n }));
    while (waiting.length < 50) await turn();
    for (const answer of waiting.reverse()) answer();
    expect(await Promise.all(calls)).toEqual(calls.map((_, n) => ({ callId: `c${n}`, twice: 2 * n })));
  });

  it("names each call itself, also over what its params say", async () => {
    const { transport, sent, receive } = wire();
    const backend = backendPeer(transport, { newId: undefined });
    backend.serve(recorder().callbacks);
    const calls = [{ n: 1 }, { n: 2, callId: "CALL-1" }].map((params) => backend.request("CALL", params));
    expect(sent).toEqual([
      { type: "CALL", n: 1, callId: "CALL-1" },
      { type: "CALL", n: 2, callId: "CALL-2" },
    ]);
    for (const callId of ["CALL-2", "CALL-1"]) receive({ event: "RESULT", data: { callId, of: callId } });
    expect(await Promise.all(calls)).toEqual([
      { callId: "CALL-1", of: "CALL-1" },
      { callId: "CALL-2", of: "CALL-2" },
    ]);
  });

  it("rejects with the failure that the reply is read as, or with what reading it throws", async () => {
    const { transport, receive } = wire();
    const backend = backendPeer(transport, {
      readFailure(params, call) {
        const { success, error } = params as { success?: boolean; error?: string };
        if (success === undefined) throw new TypeError(`${call}: no success`);
        return success ? undefined : new RemoteError(-32000, error ?? "");
      },
    });
    backend.serve(recorder().callbacks);
    const results = ["a", "b", "c"].map((callId) => backend.request("CALL", { callId }));
    receive({ event: "RESULT", data: { callId: "a", success: false, error: "no such file" } });
    receive({ event: "RESULT", data: { callId: "b", success: true } });
    receive({ event: "RESULT", data: { callId: "c" } });
    expect(await Promise.allSettled(results)).toEqual([
      { status: "rejected", reason: expect.objectContaining({ name: "RemoteError", message: "no such file" }) },
      { status: "fulfilled", value: { callId: "b", success: true } },
      { status: "rejected", reason: new TypeError("CALL: no success") },
    ]);
  });

  it("reads ids under their other names, unless strict", async () => {
    for (const strict of [false, true]) {
      const { transport, sent, receive } = wire();
      const { callbacks, diagnostics } = recorder({ request: () => ({}) });
      const peer = pluginPeer(transport, { strict });
      peer.serve(callbacks);
      receive({ type: "CALL", id: "a" });
      await turn();
      expect(sent).toEqual(strict ? [] : [{ event: "RESULT", data: { callId: "a" } }]);
      expect(diagnostics.map(({ id }) => id)).toEqual(["tagged.form"]);
    }
    const { transport, receive } = wire();
    const backend = backendPeer(transport);
    backend.serve(recorder().callbacks);
    const call = backend.request("CALL", { callId: "a" });
    receive({ event: "RESULT", data: { id: "a", ok: 1 } });
    expect(await call).toEqual({ callId: "a", ok: 1 });
  });

  it("refuses a call that cannot be told from others", async () => {
    const { backend, atPlugin } = pair(() => new Promise(() => {}));
    void backend.request("CALL", { callId: "a" }).catch(() => {});
    const refusal = { name: "WireError", code: "invalid_params" };
    await expect(backend.request("CALL", { callId: "a" })).rejects.toMatchObject({
      ...refusal,
      message: expect.stringContaining('"a" is already waiting'),
    });
    await expect(backend.request("CALL", { callId: "" })).rejects.toMatchObject({
      ...refusal,
      message: "CALL: callId: expected a string that is not empty from newId",
    });
    await expect(backend.request("ORDER", {})).rejects.toMatchObject({
      ...refusal,
      message: "ORDER: the table declares no reply for it",
    });
    expect(atPlugin.errors).toEqual([]);
  });

  it("ends with its time, its signal or the connection; late and stray replies change nothing", async () => {
    const { transport, receive } = wire();
    const { callbacks, diagnostics } = recorder();
    const backend = backendPeer(transport);
    backend.serve(callbacks);
    const controller = new AbortController();
    const aborted = backend.request("CALL", { callId: "abort" }, { signal: controller.signal });
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ code: "aborted" });
    await expect(backend.request("CALL", { callId: "late" }, { timeoutMs: 5 })).rejects.toMatchObject({
      code: "timeout",
      message: "CALL: no reply within 5 ms",
    });
    for (const callId of ["late", "late", "never", undefined]) receive({ event: "RESULT", data: { callId } });
    expect(diagnostics.map(({ id }) => id)).toEqual([
      "tagged.late-reply",
      "tagged.unknown-reply",
      "tagged.unknown-reply",
      "tagged.unknown-reply",
    ]);
    expect(diagnostics[0]?.message).toBe('the call "late" is over; it is ignored');
    const again = backend.request("CALL", { callId: "late" });
    receive({ event: "RESULT", data: { callId: "late", ok: 1 } });
    expect(await again).toEqual({ callId: "late", ok: 1 });
    const pending = backend.request("CALL", { callId: "pending" });
    await backend.close();
    await expect(pending).rejects.toMatchObject({ code: "closed" });
    expect(() => backend.notify("ORDER", {})).toThrow(expect.objectContaining({ code: "closed" }));
  });

  it("reports stray replies in the words of the protocol", () => {
    const { transport, receive } = wire();
    const { callbacks, diagnostics } = recorder();
    backendPeer(transport, { strayReply: (id) => `nobody waits for ${String(id)}` }).serve(callbacks);
    receive({ event: "RESULT", data: { callId: "x" } });
    expect(diagnostics).toEqual([{ id: "tagged.unknown-reply", method: "RESULT", message: "nobody waits for x" }]);
  });

  it("settles after the handlers of what came before the reply", async () => {
    const { transport, receive } = wire();
    const order: string[] = [];
    const { callbacks } = recorder({
      notification: async () => {
        await turn();
        order.push("news");
      },
    });
    const backend = backendPeer(transport);
    backend.serve(callbacks);
    const call = backend.request("CALL", { callId: "a" }).then(() => order.push("reply"));
    receive({ event: "NEWS", data: { topic: "t" } });
    receive({ event: "RESULT", data: { callId: "a" } });
    await call;
    expect(order).toEqual(["news", "reply"]);
  });
});

describe("what a call of the peer is answered", () => {
  const serve = (handler: (params: unknown) => unknown, failure?: Parameters<typeof pluginPeer>[1]) => {
    const line = wire();
    const recorded = recorder({ request: (_name, params) => handler(params) });
    const plugin: Peer = pluginPeer(line.transport, failure);
    plugin.serve(recorded.callbacks);
    return { ...line, ...recorded };
  };
  const failure = { failure: ({ message }: RemoteError) => ({ success: false, error: message }) };

  it("the reply, once, with the call's id and in the role's envelope", async () => {
    const { receive, sent } = serve((params) => ({
      twice: 2 * (params as { n: number }).n,
      topic: "t",
      callId: "forged",
    }));
    receive({ type: "CALL", callId: "é\u0000", n: 21 });
    await turn();
    expect(sent).toEqual([{ topic: "t", event: "RESULT", data: { twice: 42, callId: "é\u0000" } }]);
  });

  it("its failure as the protocol has it: a refusal whole, a bug without its text", async () => {
    const errors = [RemoteError.invalidParams("no such tool"), new Error("secret")];
    const { receive, sent, ...recorded } = serve(() => Promise.reject(errors.shift()), failure);
    receive({ type: "CALL", callId: "a" });
    receive({ type: "CALL", callId: "b" });
    await turn();
    expect(sent).toEqual([
      { event: "RESULT", data: { success: false, error: "no such tool", callId: "a" } },
      { event: "RESULT", data: { success: false, error: "Internal error", callId: "b" } },
    ]);
    expect(recorded.errors).toEqual([expect.objectContaining({ message: "secret" })]);
  });

  it("nothing where the protocol has no failures; the error is reported here", async () => {
    const { receive, sent, errors } = serve(() => Promise.reject(RemoteError.invalidParams("no")));
    receive({ type: "CALL", callId: "a" });
    await turn();
    expect([sent, errors]).toEqual([[], [expect.objectContaining({ message: "no" })]]);
  });

  it("a failure with an empty id, where the id is missing", () => {
    const { receive, sent } = serve(() => ({}), failure);
    receive({ type: "CALL" });
    expect(sent).toEqual([
      { event: "RESULT", data: { success: false, error: 'CALL: "callId" is missing or empty', callId: "" } },
    ]);
  });

  it("nothing where its failure cannot be made or written, which is reported here; the peer goes on", async () => {
    const broken = {
      failure: ({ message }: RemoteError) => {
        if (message === "throws") throw new Error("the maker of failures is broken");
        return { error: message, big: 1n };
      },
    };
    const thrown = [
      new RemoteError(1, "throws"),
      new RemoteError(1, "throws", { some: "data" }),
      new RemoteError(1, "no JSON"),
      new RemoteError(1, "no JSON", { some: "data" }),
    ];
    const { receive, sent, errors } = serve(
      (params) => ((params as { fine?: boolean }).fine === true ? {} : Promise.reject(thrown.shift())),
      broken,
    );
    for (const callId of ["a", "b", "c", "d"]) receive({ type: "CALL", callId });
    receive({ type: "CALL" });
    await turn();
    receive({ type: "CALL", callId: "e", fine: true });
    expect(sent).toEqual([{ event: "RESULT", data: { callId: "e" } }]);
    expect(errors.map((error) => (error as Error).message)).toContain("the maker of failures is broken");
    expect(errors.length).toBeGreaterThanOrEqual(5);
  });

  it("with the id as it came, a number too", async () => {
    const { receive, sent } = serve(() => ({ ok: true }));
    receive({ type: "CALL", callId: 7 });
    await turn();
    expect(sent).toEqual([{ event: "RESULT", data: { ok: true, callId: 7 } }]);
  });

  it("once for an id that runs already", async () => {
    let runs = 0;
    const { receive, sent, diagnostics } = serve(async () => {
      runs += 1;
      await turn();
      return {};
    });
    receive({ type: "CALL", callId: "a" });
    receive({ type: "CALL", callId: "a" });
    while (sent.length === 0) await turn();
    await turn();
    expect([runs, sent.length]).toEqual([1, 1]);
    expect(diagnostics).toEqual([expect.objectContaining({ id: "tagged.duplicate", method: "CALL" })]);
  });

  it("a failure past the limit of calls in flight", () => {
    const { receive, sent } = serve(() => new Promise(() => {}), { ...failure, maxRequests: 1 });
    receive({ type: "CALL", callId: "a" });
    receive({ type: "CALL", callId: "b" });
    expect(sent).toEqual([
      { event: "RESULT", data: { success: false, error: "Too many requests in flight; the limit is 1", callId: "b" } },
    ]);
  });
});

describe("values that are not messages", () => {
  it("are reported and never close the connection", () => {
    const line = wire();
    const { transport, receive, sent } = line;
    const { callbacks, seen, diagnostics, errors } = recorder();
    const plugin = pluginPeer(transport);
    plugin.serve(callbacks);
    for (const junk of [
      null,
      3,
      [],
      {},
      { type: 4 },
      { type: "ORDER", data: 1 },
      { type: "NEWS", data: {} },
      { type: "toString", data: {} },
      { event: "ORDER", data: {} },
    ])
      receive(junk);
    line.events?.malformed(Object.assign(new Error("not JSON")) as never);
    receive({ type: "ORDER", data: { x: 1 } });
    expect(seen).toEqual([{ name: "ORDER", params: { x: 1 } }]);
    expect(diagnostics.map(({ id }) => id)).toEqual([
      ...Array<string>(6).fill("tagged.invalid-message"),
      "tagged.unknown-name",
      "tagged.unknown-name",
      "tagged.invalid-message",
    ]);
    expect([errors.length, sent]).toEqual([1, []]);
  });

  it("may come in a tolerated form, unless strict", () => {
    for (const strict of [false, true]) {
      const { transport, receive } = wire();
      const { callbacks, seen, diagnostics } = recorder();
      backendPeer(transport, { strict }).serve(callbacks);
      receive({ event: "NEWS", headline: "flat" });
      expect(seen).toEqual(strict ? [] : [{ name: "NEWS", params: { headline: "flat" } }]);
      expect(diagnostics.map(({ id }) => id)).toEqual(["tagged.form"]);
    }
  });
});

describe("order and flow", () => {
  it("handles one session's messages one at a time, and sessions side by side", async () => {
    const [a, b] = memoryPair();
    const order: string[] = [];
    const { callbacks } = recorder({
      notification: async (_name, params) => {
        const { topic, n } = params as { topic: string; n: number };
        await turn();
        if (topic === "slow") await turn();
        order.push(`${topic}${n}`);
      },
    });
    const backend = backendPeer(a);
    backend.serve(callbacks);
    const plugin = pluginPeer(b);
    plugin.serve(recorder().callbacks);
    for (let n = 0; n < 3; n += 1) for (const topic of ["slow", "fast"]) void plugin.notify("NEWS", { topic, n });
    while (order.length < 6) await turn();
    expect(order.filter((one) => one.startsWith("slow"))).toEqual(["slow0", "slow1", "slow2"]);
    expect(order.indexOf("fast2")).toBeLessThan(order.indexOf("slow2"));
  });

  it("stops reading when too much is unhandled", () => {
    const { transport, receive } = wire();
    const { callbacks } = recorder({ notification: () => new Promise(() => {}) });
    backendPeer(transport, { maxUnhandled: 2 }).serve(callbacks);
    expect(receive({ event: "NEWS", data: { topic: "a" } })).toBeUndefined();
    expect(receive({ event: "NEWS", data: { topic: "b" } })).toBeInstanceOf(Promise);
  });

  it("gives the transport's promise to who sends to a slow peer", () => {
    const room = Promise.resolve();
    const { transport } = wire();
    expect(backendPeer({ ...transport, send: () => room }).notify("ORDER", {})).toBe(room);
  });

  it("shows every message to onWire", () => {
    const { transport, receive } = wire();
    const seen: unknown[] = [];
    const backend = backendPeer(transport, { onWire: (direction, message) => void seen.push([direction, message]) });
    backend.serve(recorder().callbacks);
    void backend.notify("ORDER", { x: 1 });
    receive({ event: "NEWS", data: {} });
    expect(seen).toEqual([
      ["out", { type: "ORDER", data: { x: 1 } }],
      ["in", { event: "NEWS", data: {} }],
    ]);
  });
});

describe("a protocol that cannot be spoken", () => {
  const { transport } = wire();
  const any = z.looseObject({});
  const define = (methods: Record<string, ReturnType<typeof request>>) =>
    defineProtocol({ name: "broken", version: "1", roles: ["backend", "plugin"], methods });

  it("has a call without a reply, a reply with two keys, or a role without an envelope", () => {
    const noReply = define({ CALL: request({ from: "backend", params: any, result: any }) as never });
    expect(() => taggedPeer(transport, { protocol: noReply, self: "backend", envelope })).toThrow(
      'the call "CALL": expected a reply',
    );
    const call = (by: string) =>
      request({ from: "backend", params: any, result: any, reply: { name: "R", by } }) as never;
    expect(() =>
      taggedPeer(transport, { protocol: define({ A: call("x"), B: call("y") }), self: "backend", envelope }),
    ).toThrow('the reply "R" names its calls by two fields');
    expect(() =>
      taggedPeer(transport, { protocol: tools, self: "backend", envelope: { backend: envelope.backend } as never }),
    ).toThrow('no form for the role "plugin"');
  });
});
