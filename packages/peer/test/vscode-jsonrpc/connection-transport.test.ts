import type { PeerContext, PeerHandler } from "@editwire/core";
import type { CancelMessage } from "@editwire/peer";
import { memoryPair } from "@editwire/transport";
import { describe, expect, it } from "vitest";
import {
  CancellationTokenSource,
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { deferred, handlerOf, listener, rejection } from "../json-rpc/support.js";
import { connectionPeer, connectionTransport, transportStreams } from "../../src/vscode-jsonrpc/index.js";
import { guarded, quiet, RawEnd, socketPair, stock, wired } from "./support.js";

const cancel: CancelMessage = {
  method: "$/cancelRequest",
  params: (id) => ({ id }),
  idOf: (params) => (params as { id?: number } | null)?.id,
};

const frame = (json: string): string => `Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;

/** A peer over a guarded connection, and its far end on the raw wire. */
function open(handler: Partial<PeerHandler> = {}) {
  const { connection, wire } = wired();
  const peer = connectionPeer(connection, { cancel });
  const recorded = listener();
  peer.serve(handlerOf({ ...recorded.callbacks, ...handler }));
  return { connection, wire, peer, ...recorded };
}

describe("what goes out", () => {
  it("keeps the form of params", async () => {
    const { wire, peer } = open();
    const forms: [unknown, object][] = [
      [{ a: 1 }, { params: { a: 1 } }],
      [[1], { params: [1] }],
      [[{ a: 1 }, 2], { params: [{ a: 1 }, 2] }],
      [undefined, {}],
      [null, {}],
    ];
    for (const [params] of forms) peer.notify("n", params);
    for (const [params] of forms) peer.request("r", params).catch(() => {});
    const expected = [
      ...forms.map(([, wireForm]) => ({ method: "n", ...wireForm })),
      ...forms.map(([, wireForm], id) => ({ id, method: "r", ...wireForm })),
    ];
    expect(await wire.first(10)).toEqual(expected.map((message) => ({ jsonrpc: "2.0", ...message })));
    await peer.close();
  });

  it("cancels with the id that is on the wire, and waits no longer", async () => {
    const { wire, peer } = open();
    peer.request("zero", {}).catch(() => {});
    const controller = new AbortController();
    const call = rejection(peer.request("one", {}, { signal: controller.signal }));
    controller.abort();
    expect(await call).toMatchObject({ code: "aborted" });
    expect((await wire.first(3))[2]).toEqual({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: 1 } });
    await peer.close();
  });

  it("is slow when the peer is, and bounded", async () => {
    const [near, far] = memoryPair();
    const { reader, writer } = transportStreams(near);
    const peer = connectionPeer(createMessageConnection(reader, writer, quiet), {
      maxQueuedBytes: 300_000,
      closeTimeoutMs: 5,
    });
    peer.serve(handlerOf());
    const text = "x".repeat(100_000);
    const rooms = [peer.notify("n", { text }), peer.notify("n", { text }), peer.notify("n", { text })];
    expect(rooms.every((room) => room instanceof Promise)).toBe(true);
    expect(() => peer.notify("n", { text })).toThrow(expect.objectContaining({ code: "overloaded" }));
    const wire = new RawEnd(far);
    await Promise.all(rooms);
    await wire.first(3);
    expect(peer.notify("n", {})).toBeUndefined();
    await peer.close();
  });
});

describe("what comes in", () => {
  it("gives handlers the params in their form, and none as none", async () => {
    const seen: unknown[] = [];
    const { wire, peer } = open({
      notification: (_method, params) => void seen.push(params),
      request: (_method, params) => void seen.push(params),
    });
    const forms = [{ a: 1 }, [1, 2], [], undefined, null];
    for (const params of forms) wire.send({ jsonrpc: "2.0", method: "n", params });
    wire.send({ jsonrpc: "2.0", id: "last", method: "r" });
    expect(await wire.first(1)).toEqual([{ jsonrpc: "2.0", id: "last", result: null }]);
    expect(seen).toEqual([...forms, undefined]);
    await peer.close();
  });

  it("receives $/progress, which connections keep to themselves", async () => {
    const got = deferred<unknown>();
    const { wire, peer } = open({ notification: (method, params) => got.resolve({ method, params }) });
    const params = { type: "start", taskId: "1", title: "Indexing" };
    wire.send({ jsonrpc: "2.0", method: "$/progress", params });
    expect(await got.promise).toEqual({ method: "$/progress", params });
    await peer.close();
  });

  it("notices a cancel that came before the handler started", async () => {
    const [near, far] = await socketPair();
    const started = deferred<PeerContext>();
    const peer = connectionPeer(stock(near), { cancel });
    peer.serve(
      handlerOf({ request: (_method, _params, context) => (started.resolve(context), new Promise(() => {})) }),
    );
    far.write(
      frame(`{"jsonrpc":"2.0","id":5,"method":"slow"}`) +
        frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":5}}`),
    );
    const { signal } = await started.promise;
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
    expect(signal.reason).toMatchObject({ code: "aborted" });
    await peer.close();
  });

  it("tells the peer nothing of what a handler threw", async () => {
    const { wire, peer, errors } = open({ request: () => Promise.reject(new Error("/home/secret")) });
    wire.send({ jsonrpc: "2.0", id: 1, method: "boom" });
    expect(await wire.first(1)).toEqual([
      { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "Internal error" } },
    ]);
    expect(errors).toHaveLength(1);
    await peer.close();
  });

  it("receives what came before it was served, also on a connection that listens already", async () => {
    const { connection, wire } = wired();
    const peer = connectionPeer(connection);
    connection.listen();
    wire.send({ jsonrpc: "2.0", method: "early" });
    wire.send({ jsonrpc: "2.0", id: 1, method: "extension" });
    connection.onRequest("extension", () => "its own");
    await wire.first(1);
    const seen = deferred<string>();
    peer.serve(handlerOf({ notification: (method) => seen.resolve(method) }));
    expect(await seen.promise).toBe("early");
    expect(wire.received).toEqual([{ jsonrpc: "2.0", id: 1, result: "its own" }]);
    await peer.close();
  });

  it("gives up a connection whose messages pile up", async () => {
    const { connection, wire } = wired();
    const peer = connectionPeer(connection, { maxHeld: 10 });
    connection.listen();
    for (let n = 0; n < 12; n++) wire.send({ jsonrpc: "2.0", method: "n" });
    const disposed = new Promise<void>((resolve) => connection.onDispose(() => resolve()));
    await disposed;
    peer.serve(handlerOf());
    expect(await peer.closed).toMatchObject({ code: "overloaded" });
  });
});

describe("the end", () => {
  it("handles what came before it", async () => {
    const [near, far] = await socketPair();
    const seen: unknown[] = [];
    const peer = connectionPeer(stock(near));
    peer.serve(handlerOf({ notification: (_method, params) => void seen.push((params as { n: number }).n) }));
    const writer = new StreamMessageWriter(far);
    far.cork();
    const writes = Array.from({ length: 50 }, (_, n) =>
      writer.write({ jsonrpc: "2.0", method: "n", params: { n } } as never),
    );
    far.uncork();
    await Promise.all(writes);
    far.end();
    expect(await peer.closed).toMatchObject({ code: "closed", message: "closed by the other end" });
    expect(seen).toEqual(Array.from({ length: 50 }, (_, n) => n));
  });

  it("comes when the extension disposes the connection, and rejects what is pending", async () => {
    const { connection, peer } = open();
    const call = rejection(peer.request("never", {}));
    connection.dispose();
    expect(await call).toMatchObject({ code: "closed", cause: { message: "the connection was disposed" } });
    expect(() => peer.notify("late", {})).toThrow(expect.objectContaining({ code: "closed" }));
    await peer.close();
  });

  it("is there at once for a connection that is closed or disposed", async () => {
    const { connection } = wired();
    connection.dispose();
    const transport = connectionTransport(connection);
    const reason = await new Promise((resolve) => transport.start({ message() {}, malformed() {}, closed: resolve }));
    expect(reason).toMatchObject({ code: "closed", message: "the connection was already closed" });
    expect(() => transport.send("{}")).toThrow(expect.objectContaining({ code: "closed" }));
    await transport.close();
  });

  it("waits for what was sent, over vscode-jsonrpc's own writer", async () => {
    const [near, far] = await socketPair();
    const peer = connectionPeer(stock(near));
    peer.serve(handlerOf());
    const seen: number[] = [];
    const reader = new StreamMessageReader(far);
    const closed = new Promise<void>((resolve) => reader.onClose(() => resolve()));
    reader.listen((message) => void seen.push((message as never as { params: { n: number } }).params.n));
    for (let n = 0; n < 100; n++) void peer.notify("n", { n });
    await peer.close();
    await closed;
    expect(seen).toEqual(Array.from({ length: 100 }, (_, n) => n));
  });

  it("waits for the answers, over vscode-jsonrpc's own writer", async () => {
    const [near, far] = await socketPair();
    const peer = connectionPeer(stock(near), { cancel });
    const count = 50;
    const all = deferred<string>();
    let started = 0;
    peer.serve(
      handlerOf({
        request(_method, _params, context) {
          if (++started === count) {
            context.afterReply(() => void peer.close());
            all.resolve("answer".repeat(10_000));
          }
          return all.promise;
        },
      }),
    );
    const received: unknown[] = [];
    const reader = new StreamMessageReader(far);
    const closed = new Promise<void>((resolve) => reader.onClose(() => resolve()));
    reader.listen((message) => void received.push((message as { id?: unknown }).id));
    for (let id = 0; id < count; id++) far.write(frame(`{"jsonrpc":"2.0","id":${id},"method":"wait"}`));
    await closed;
    expect(received).toEqual([...Array.from({ length: count }, (_, id) => id), undefined]);
  });

  it("comes when a write fails", async () => {
    const [near, far] = await socketPair();
    const connection = stock(near);
    const peer = connectionPeer(connection);
    peer.serve(handlerOf());
    const call = rejection(peer.request("never", {}));
    far.destroy();
    expect(await call).toMatchObject({ code: "closed" });
    await peer.close();
  });

  it("reports bytes that are not a message, over vscode-jsonrpc's own reader", async () => {
    const [near, far] = await socketPair();
    const errors: unknown[] = [];
    const peer = connectionPeer(stock(near));
    const got = deferred();
    peer.serve(handlerOf({ error: (error) => void errors.push(error), notification: () => got.resolve() }));
    far.write(frame("{") + frame(`{"jsonrpc":"2.0","method":"next"}`));
    await got.promise;
    expect(errors).toEqual([
      expect.objectContaining({ name: "WireError", code: "framing", cause: expect.any(SyntaxError) as Error }),
    ]);
    await peer.close();
  });
});

it("answers an extension's own calls from a binding at the other end", async () => {
  const [near, far] = memoryPair();
  const connection = guarded(near);
  const peer = connectionPeer(guarded(far));
  peer.serve(handlerOf({ request: (method, params) => ({ method, params }) }));
  connection.listen();
  expect(await connection.sendRequest("echo", { a: 1 }, new CancellationTokenSource().token)).toEqual({
    method: "echo",
    params: { a: 1 },
  });
  await peer.close();
});
