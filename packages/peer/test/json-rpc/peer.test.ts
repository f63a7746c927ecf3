import type { Route } from "@editwire/core";
import { RemoteError, WireError } from "@editwire/core/errors";
import { memoryPair } from "@editwire/transport";
import { describe, expect, it } from "vitest";
import { jsonRpcPeer, type JsonRpcOptions } from "../../src/index.js";
import { peerTests } from "./contract.js";
import { handlerOf, listener, rejection } from "./support.js";
import { Wire } from "./wire.js";

const cancel = {
  method: "$/cancelRequest",
  params: (id: string | number) => ({ id }),
  idOf: (params: unknown) => (params as { id?: string | number } | null)?.id,
};

peerTests("jsonrpc over memory", () => {
  const [left, right] = memoryPair();
  return { left: jsonRpcPeer(left, { cancel }), right: jsonRpcPeer(right, { cancel }) };
});

function open(handler: Parameters<typeof handlerOf>[0] = {}, options: JsonRpcOptions = {}) {
  const wire = new Wire();
  const peer = jsonRpcPeer(wire, options);
  const recorded = listener();
  peer.serve(handlerOf({ ...recorded.callbacks, ...handler }));
  return { wire, peer, ...recorded };
}

describe("what goes out", () => {
  it("numbers its calls", async () => {
    const { wire, peer } = open();
    void peer.request("a", { x: 1 }).catch(() => {});
    void peer.request('quo"ted', [1]).catch(() => {});
    expect(wire.sent).toEqual([
      { jsonrpc: "2.0", id: 1, method: "a", params: { x: 1 } },
      { jsonrpc: "2.0", id: 2, method: 'quo"ted', params: [1] },
    ]);
    await peer.close();
  });

  it("leaves out params that are undefined, and keeps null", () => {
    const { wire, peer } = open();
    peer.notify("a", undefined);
    peer.notify("a", null);
    expect(wire.texts).toEqual(['{"jsonrpc":"2.0","method":"a"}', '{"jsonrpc":"2.0","method":"a","params":null}']);
  });

  const noParams: [unknown][] = [["text"], [5], [true], [1n], [() => {}], [{ toJSON: () => undefined }]];
  it.each(noParams)("refuses %s as params and sends nothing", async (params) => {
    const { wire, peer } = open();
    expect(() => peer.notify("put", params)).toThrow(
      expect.objectContaining({ name: "WireError", code: "invalid_params" }),
    );
    const error = await rejection(peer.request("put", params));
    expect(error).toMatchObject({ code: "invalid_params", message: expect.stringContaining("put") as string });
    expect(wire.texts).toEqual([]);
  });

  it("keeps the cause when params refer to themselves", async () => {
    const { peer } = open();
    const loop: { self?: unknown } = {};
    loop.self = loop;
    expect(await rejection(peer.request("put", loop))).toMatchObject({
      code: "invalid_params",
      cause: expect.any(TypeError) as Error,
    });
  });

  it("returns the transport's promise from notify, and only then", async () => {
    const { wire, peer } = open();
    expect(peer.notify("a", {})).toBeUndefined();
    wire.room = Promise.resolve();
    expect(peer.notify("a", {})).toBe(wire.room);
  });

  it("passes on what the transport throws, and forgets the call", async () => {
    const { wire, peer } = open();
    wire.refusal = new WireError("overloaded", "too slow");
    expect(await rejection(peer.request("a", {}))).toBe(wire.refusal);
    expect(() => peer.notify("a", {})).toThrow(wire.refusal);
  });

  it("writes the same head for any number of methods", () => {
    const { wire, peer } = open();
    for (let n = 0; n < 3_000; n++) peer.notify(`method/${n}`, { n });
    expect(
      wire.sent.every(({ method, params }, n) => method === `method/${n}` && (params as { n: number }).n === n),
    ).toBe(true);
  });
});

describe("what an answer carries", () => {
  it("is sent in the same tick for a handler without a promise", () => {
    const { wire } = open({ request: () => ({ ok: true }) });
    wire.request("x", "get");
    expect(wire.texts).toEqual(['{"jsonrpc":"2.0","id":"x","result":{"ok":true}}']);
  });

  it("drops error data that JSON cannot hold, and says so here", () => {
    const { wire, errors } = open({
      request: () => {
        throw new RemoteError(-32001, "no", { size: 1n });
      },
    });
    wire.request(1, "get");
    expect(wire.sent).toEqual([{ jsonrpc: "2.0", id: 1, error: { code: -32001, message: "no" } }]);
    expect(errors).toEqual([expect.objectContaining({ code: "invalid_result" })]);
  });

  it("says that this side is overloaded, without the text of the error", () => {
    const { wire, errors } = open({
      request: () => {
        throw new WireError("overloaded", "secret: 7 bytes are queued");
      },
    });
    wire.request(1, "get");
    expect(wire.sent[0]?.error).toEqual({
      code: -32603,
      message: "Overloaded: too much waits; try again later",
      data: { reason: "overloaded" },
    });
    expect(errors).toHaveLength(1);
  });

  it("has an integer as code whatever the handler gave", () => {
    const { wire } = open({
      request: () => {
        throw new RemoteError(NaN, "no");
      },
    });
    wire.request(1, "get");
    expect(wire.sent[0]?.error).toEqual({ code: -32603, message: "no" });
  });

  it.each([[() => {}], [Symbol("s")], [{ toJSON: () => undefined }]])(
    "is an internal error for %s as result",
    (result) => {
      const { wire, errors } = open({ request: () => result });
      wire.request(1, "get");
      expect(wire.sent[0]?.error).toEqual({ code: -32603, message: "Internal error" });
      expect(errors).toEqual([
        expect.objectContaining({ code: "invalid_result", message: expect.stringContaining("get") as string }),
      ]);
    },
  );

  it("closes the connection when the transport refuses it, for the peer would wait for ever", async () => {
    const { wire, peer, errors } = open({ request: () => "result" });
    wire.refusal = new WireError("overloaded", "too slow");
    wire.request(1, "get");
    expect(errors).toEqual([wire.refusal]);
    expect(await peer.closed).toMatchObject({ code: "closed" });
  });
});

describe("the end", () => {
  it("gives every pending call the transport's reason", async () => {
    const { wire, peer } = open();
    const call = rejection(peer.request("a", {}));
    const reason = new WireError("framing", "the stream broke");
    wire.end(reason);
    expect(await call).toMatchObject({
      code: "closed",
      cause: reason,
      message: expect.stringContaining("a:") as string,
    });
    expect(await peer.closed).toBe(reason);
  });

  it("drops the answers of handlers that are still running", async () => {
    let answer = (_value: unknown): void => {};
    const { wire, errors } = open({ request: () => new Promise((resolve) => (answer = resolve)) });
    wire.request(1, "slow");
    wire.end(new WireError("closed", "gone"));
    answer("too late");
    await Promise.resolve();
    expect(wire.texts).toEqual([]);
    expect(errors).toEqual([]);
  });
});

describe("a route", () => {
  const route: Route = {
    wrap(method, params) {
      if (!method.startsWith("cmd/")) return { method, params };
      return { method: "execute", params: { command: method, arguments: [params] } };
    },
    unwrap(method, params) {
      if (method !== "execute") return { method, params };
      const { command, arguments: args } = params as { command: string; arguments: unknown[] };
      if (args === undefined) throw RemoteError.invalidParams("execute: params.arguments: expected an array");
      return { method: command, params: args[0] };
    },
  };

  it("carries methods inside methods, both ways", async () => {
    const [a, b] = memoryPair();
    const [left, right] = [jsonRpcPeer(a, { route }), jsonRpcPeer(b, { route })];
    const sessions: unknown[] = [];
    const seen: unknown[] = [];
    right.serve(
      handlerOf({
        request: (method, params) => ({ method, params }),
        notification: (method, params) => void seen.push([method, params]),
        session: (method) => void sessions.push(method),
      }),
    );
    left.serve(handlerOf());
    await left.notify("cmd/note", { n: 1 });
    expect(await left.request("cmd/run", { n: 2 })).toEqual({ method: "cmd/run", params: { n: 2 } });
    expect(await left.request("plain", { n: 3 })).toEqual({ method: "plain", params: { n: 3 } });
    expect(seen).toEqual([["cmd/note", { n: 1 }]]);
    expect(sessions).toEqual(["cmd/note", "cmd/run", "plain"]);
    await left.close();
  });

  it("puts the carrying method on the wire", () => {
    const { wire, peer } = open({}, { route });
    peer.notify("cmd/note", { n: 1 });
    expect(wire.sent).toEqual([
      { jsonrpc: "2.0", method: "execute", params: { command: "cmd/note", arguments: [{ n: 1 }] } },
    ]);
  });

  it("answers a message that it cannot open", () => {
    const { wire } = open({ request: () => "fine" }, { route });
    wire.request(1, "execute", { command: "cmd/x" });
    wire.request(2, "execute", null);
    wire.request(3, "other");
    expect(wire.sent.map(({ id, error, result }) => [id, error?.code ?? result])).toEqual([
      [1, -32602],
      [2, -32603],
      [3, "fine"],
    ]);
  });
});

describe("onWire", () => {
  it("sees both directions as values, and cannot break anything", async () => {
    const seen: unknown[] = [];
    const onWire: JsonRpcOptions["onWire"] = (direction, message) => {
      seen.push([direction, message]);
      throw new Error("a bad listener");
    };
    const { wire } = open({ request: () => 1 }, { onWire });
    wire.request(7, "get");
    expect(seen).toEqual([
      ["in", { jsonrpc: "2.0", id: 7, method: "get", params: undefined }],
      ["out", { jsonrpc: "2.0", id: 7, result: 1 }],
    ]);
  });
});
