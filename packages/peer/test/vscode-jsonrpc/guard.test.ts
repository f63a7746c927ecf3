import { describe, expect, it } from "vitest";
import { memoryPair } from "@editwire/transport";
import { createMessageConnection, type Message } from "vscode-jsonrpc/node";
import { guardStreams, transportStreams } from "../../src/vscode-jsonrpc/index.js";
import { quiet, wired } from "./support.js";

const refusal = (id: unknown, code: number) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message: expect.any(String) as string },
});

describe("what vscode-jsonrpc leaves unanswered", () => {
  const broken: [string, unknown, unknown, number][] = [
    ["bytes that are not JSON", "{", null, -32700],
    ["a batch", [{ jsonrpc: "2.0", id: 1, method: "a" }], null, -32600],
    ["an empty batch", [], null, -32600],
    ["a scalar", 5, null, -32600],
    ["null", "null", null, -32600],
    ["a method that is not a string", { jsonrpc: "2.0", id: 1, method: 5 }, 1, -32600],
    ["a method that is not a string, without an id", { jsonrpc: "2.0", method: 5 }, null, -32600],
    ["an id that is null", { jsonrpc: "2.0", id: null, method: "a" }, null, -32600],
    ["an id that is an object", { jsonrpc: "2.0", id: {}, method: "a" }, null, -32600],
    ["a missing jsonrpc member", { id: 1, method: "a" }, 1, -32600],
    ["another jsonrpc version", { jsonrpc: "1.0", id: "x", method: "a" }, "x", -32600],
    ["params that are a scalar", { jsonrpc: "2.0", id: 1, method: "a", params: 5 }, 1, -32600],
    ["no method at all", { jsonrpc: "2.0", id: 1 }, 1, -32600],
  ];
  it.each(broken)("%s is answered, and the next request is served", async (_what, message, id, code) => {
    const { connection, wire } = wired();
    connection.onRequest((method) => method);
    connection.listen();
    wire.send(message);
    wire.send({ jsonrpc: "2.0", id: 2, method: "next" });
    expect(await wire.first(2)).toEqual([refusal(id, code), { jsonrpc: "2.0", id: 2, result: "next" }]);
    connection.end();
  });

  it("is reported as a diagnostic", async () => {
    const { connection, wire, diagnostics } = wired();
    connection.listen();
    wire.send([]);
    await wire.first(1);
    expect(diagnostics).toEqual(["rpc.invalid-request"]);
    connection.end();
  });
});

describe("ids", () => {
  it("runs the first of two requests with one id, and refuses the second", async () => {
    const { connection, wire } = wired();
    let release = (_result: string): void => {};
    connection.onRequest("a", async ({ n }: { n: number }) =>
      n === 1 ? new Promise<string>((resolve) => (release = resolve)) : n,
    );
    connection.listen();
    for (const n of [1, 2]) wire.send({ jsonrpc: "2.0", id: 1, method: "a", params: { n } });
    expect(await wire.first(1)).toEqual([refusal(1, -32600)]);
    release("done");
    expect((await wire.first(2))[1]).toEqual({ jsonrpc: "2.0", id: 1, result: "done" });
    wire.send({ jsonrpc: "2.0", id: 1, method: "a", params: { n: 3 } });
    expect((await wire.first(3))[2]).toEqual({ jsonrpc: "2.0", id: 1, result: 3 });
    connection.end();
  });

  it("takes the first of two replies with one id", async () => {
    const { connection, wire, diagnostics } = wired();
    connection.listen();
    const call = connection.sendRequest("a");
    await wire.first(1);
    wire.send({ jsonrpc: "2.0", id: 0, result: "first" });
    wire.send({ jsonrpc: "2.0", id: 0, result: "second" });
    expect(await call).toBe("first");
    wire.send({ jsonrpc: "2.0", id: 9, method: "next" });
    await wire.first(2);
    expect(diagnostics).toEqual(["rpc.unknown-response"]);
    connection.end();
  });

  it("settles a call whose id came back as a string", async () => {
    const { connection, wire, diagnostics } = wired();
    connection.listen();
    const call = connection.sendRequest("a");
    await wire.first(1);
    wire.send({ jsonrpc: "2.0", id: "0", result: "fine" });
    expect(await call).toBe("fine");
    expect(diagnostics).toEqual(["rpc.id-type"]);
    connection.end();
  });
});

describe("replies", () => {
  const replies: [string, object, unknown, string | undefined][] = [
    ["a result and an error that is null", { result: 1, error: null }, 1, "rpc.result-and-error"],
    ["neither a result nor an error", {}, null, "rpc.no-result"],
    ["another version", { jsonrpc: undefined, result: 1 }, 1, "rpc.version"],
    ["a result", { result: 1 }, 1, undefined],
  ];
  it.each(replies)("reads a reply with %s", async (_what, members, result, diagnostic) => {
    const { connection, wire, diagnostics } = wired();
    connection.listen();
    const call = connection.sendRequest("a");
    await wire.first(1);
    wire.send({ jsonrpc: "2.0", id: 0, ...members });
    expect(await call).toBe(result);
    expect(diagnostics).toEqual(diagnostic === undefined ? [] : [diagnostic]);
    connection.end();
  });

  const errors: [string, unknown, object][] = [
    ["a text", "broken", { code: -32603, message: "broken" }],
    ["a code that is a text", { code: "gone", message: "no such chat" }, { code: -32603, message: "no such chat" }],
    ["no code", { message: "no such chat" }, { code: -32603, message: "no such chat" }],
    ["no message", { code: -1 }, { code: -1 }],
  ];
  it.each(errors)("reads an error that is %s", async (_what, error, expected) => {
    const { connection, wire, diagnostics } = wired();
    connection.listen();
    const call = connection.sendRequest("a");
    await wire.first(1);
    wire.send({ jsonrpc: "2.0", id: 0, error });
    await expect(call).rejects.toMatchObject(expected);
    expect(diagnostics).toEqual(["rpc.error-shape"]);
    connection.end();
  });

  it("counts the error of a reply that has both", async () => {
    const { connection, wire } = wired();
    connection.listen();
    const call = connection.sendRequest("a");
    await wire.first(1);
    wire.send({ jsonrpc: "2.0", id: 0, result: 1, error: { code: -5, message: "no" } });
    await expect(call).rejects.toMatchObject({ code: -5, message: "no" });
    connection.end();
  });
});

describe("notifications", () => {
  it.each([{ params: undefined }, { params: null }, { params: {} }, { params: [] }])(
    "survives a cancel with the params $params",
    async ({ params }) => {
      const { connection, wire, diagnostics } = wired();
      connection.onRequest((method) => method);
      connection.listen();
      wire.send({ jsonrpc: "2.0", method: "$/cancelRequest", params });
      wire.send({ jsonrpc: "2.0", id: 1, method: "next" });
      expect(await wire.first(1)).toEqual([{ jsonrpc: "2.0", id: 1, result: "next" }]);
      expect(diagnostics).toEqual(["rpc.invalid-notification"]);
      connection.end();
    },
  );

  it("ignores one that is malformed", async () => {
    const { connection, wire, diagnostics } = wired();
    const seen: string[] = [];
    connection.onNotification((method) => void seen.push(method));
    connection.onRequest((method) => method);
    connection.listen();
    wire.send({ method: "a" });
    wire.send({ jsonrpc: "2.0", method: "b", params: 5 });
    wire.send({ jsonrpc: "2.0", method: "c" });
    wire.send({ jsonrpc: "2.0", id: 1, method: "next" });
    expect(await wire.first(1)).toEqual([{ jsonrpc: "2.0", id: 1, result: "next" }]);
    expect(seen).toEqual(["c"]);
    expect(diagnostics).toEqual(["rpc.invalid-notification", "rpc.invalid-notification"]);
    connection.end();
  });
});

it("guards any reader and writer, and keeps what they say", async () => {
  const [near, far] = memoryPair();
  const inner = transportStreams(near);
  const { reader, writer } = guardStreams(inner);
  const connection = createMessageConnection(reader, writer, quiet);
  const closed = new Promise<void>((resolve) => connection.onClose(() => resolve()));
  connection.listen();
  far.start({ message() {}, malformed() {}, closed() {} });
  await writer.write({ jsonrpc: "2.0", method: "a" } as Message);
  await far.close();
  await closed;
  expect((await inner.closed).code).toBe("closed");
  await expect(writer.write({ jsonrpc: "2.0", method: "b" } as Message)).rejects.toMatchObject({ code: "closed" });
});
