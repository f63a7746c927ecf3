import { PassThrough } from "node:stream";
import type { Peer, PeerHandler } from "@editwire/core";
import { contentLength } from "@editwire/framing";
import { nodeStreamTransport } from "@editwire/transport/node";
import { afterEach, describe, expect, it } from "vitest";
import {
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { jsonRpcPeer } from "../../src/index.js";
import { deferred, handlerOf, listener, rejection } from "./support.js";

const cancel = {
  method: "$/cancelRequest",
  params: (id: string | number) => ({ id }),
  idOf: (params: unknown) => (params as { id: string | number }).id,
};

let connection: MessageConnection;
let peer: Peer;
const recorded = listener();

/** Our peer at one end of two streams, a vscode-jsonrpc connection at the other. */
function open(handler: Partial<PeerHandler> = {}): void {
  const [toThem, toUs] = [new PassThrough(), new PassThrough()];
  connection = createMessageConnection(new StreamMessageReader(toThem), new StreamMessageWriter(toUs));
  peer = jsonRpcPeer(nodeStreamTransport(toUs, toThem, contentLength()), { cancel });
  peer.serve(handlerOf({ ...recorded.callbacks, ...handler }));
}

afterEach(async () => {
  await peer.close();
  connection.dispose();
  expect(recorded).toMatchObject({ diagnostics: [], errors: [] });
});

describe("a vscode-jsonrpc connection at the other end", () => {
  it("calls and is called", async () => {
    open({ request: (method, params) => ({ method, params }) });
    connection.onRequest("sum", ({ a, b }: { a: number; b: number }) => a + b);
    connection.listen();
    expect(await peer.request("sum", { a: 1, b: 2 })).toBe(3);
    expect(await connection.sendRequest("echo", { text: "grün 🎉" })).toEqual({
      method: "echo",
      params: { text: "grün 🎉" },
    });
  });

  it("gets our errors, and we its own", async () => {
    open({
      request: (method) => {
        throw new Error(`bug in ${method}`);
      },
    });
    connection.onRequest("fail", () => new ResponseError(-32042, "not today", { until: "tomorrow" }));
    connection.listen();
    const refused = await rejection(peer.request("fail", {}));
    expect(refused).toMatchObject({
      name: "RemoteError",
      code: -32042,
      message: "not today",
      data: { until: "tomorrow" },
    });
    expect(await rejection(peer.request("unknown", {}))).toMatchObject({ name: "RemoteError", code: -32601 });
    const error = await rejection(connection.sendRequest("boom", {}));
    expect(error).toMatchObject({ code: -32603, message: "Internal error" });
    expect(recorded.errors.splice(0)).toEqual([new Error("bug in boom")]);
  });

  it("cancels and is cancelled", async () => {
    const started = deferred();
    open({
      request: (_method, _params, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
          started.resolve();
        }),
    });
    const stopped = deferred();
    const waiting = deferred();
    connection.onRequest("slow", (_params, token) => {
      token.onCancellationRequested(() => stopped.resolve());
      waiting.resolve();
      return stopped.promise;
    });
    connection.listen();

    const controller = new AbortController();
    const call = rejection(peer.request("slow", {}, { signal: controller.signal }));
    await waiting.promise;
    controller.abort();
    expect(await call).toMatchObject({ code: "aborted" });
    await stopped.promise;

    const source = new CancellationTokenSource();
    const answer = rejection(connection.sendRequest("slow", {}, source.token));
    await started.promise;
    source.cancel();
    expect(await answer).toMatchObject({ code: -32800, message: "Request cancelled" });
  });

  it("sees our notifications in order, and we its own", async () => {
    const [theirs, ours]: [unknown[], unknown[]] = [[], []];
    const both = [deferred(), deferred()];
    open({
      async notification(_method, params) {
        await Promise.resolve();
        ours.push(params);
        if (ours.length === 500) both[0]?.resolve();
      },
    });
    connection.onNotification("event", (params: unknown) => {
      theirs.push(params);
      if (theirs.length === 500) both[1]?.resolve();
    });
    connection.listen();
    for (let n = 0; n < 500; n++) {
      await peer.notify("event", { n });
      await connection.sendNotification("event", { n });
    }
    await Promise.all(both.map(({ promise }) => promise));
    const expected = Array.from({ length: 500 }, (_, n) => ({ n }));
    expect(ours).toEqual(expected);
    expect(theirs).toEqual(expected);
  });

  it("handles params that are missing or a list", async () => {
    open({ request: (_method, params) => ({ params }) });
    connection.onRequest((method, params: unknown) => ({ method, params }));
    connection.listen();
    expect(await peer.request("a", undefined)).toEqual({ method: "a" });
    expect(await peer.request("a", [1, 2])).toEqual({ method: "a", params: [1, 2] });
    expect(await connection.sendRequest("a")).toEqual({});
    expect(await connection.sendRequest("a", [null])).toEqual({ params: [[null]] });
  });
});
