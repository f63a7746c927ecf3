import { WireError } from "@editwire/core/errors";
import { describe, expect, it } from "vitest";
import { jsonRpcPeer, type JsonRpcOptions } from "../../src/index.js";
import { handlerOf, listener, rejection } from "./support.js";
import { Wire } from "./wire.js";

function open(options: JsonRpcOptions = {}) {
  const wire = new Wire();
  const peer = jsonRpcPeer(wire, options);
  const { callbacks, diagnostics, errors } = listener();
  const handled: unknown[] = [];
  peer.serve(
    handlerOf({
      ...callbacks,
      request: (method, params) => (method === "hang" ? new Promise(() => {}) : [method, params]),
      notification: (method) => void handled.push(method),
    }),
  );
  const survives = (): void => {
    const before = wire.texts.length;
    wire.request("probe", "ping");
    expect(wire.sent.slice(before)).toEqual([{ jsonrpc: "2.0", id: "probe", result: ["ping", null] }]);
  };
  return { wire, peer, diagnostics, errors, handled, survives };
}

const v = { jsonrpc: "2.0" };

describe("messages that are not messages", () => {
  const refused: [string, unknown, unknown, RegExp][] = [
    ["a batch", [{ ...v, id: 1, method: "a" }], null, /batch/],
    ["an empty batch", [], null, /batch/],
    ["null", null, null, /object, not null/],
    ["a number", 5, null, /object, not 5/],
    ["a string", "hello", null, /object, not "hello"/],
    ["a boolean", true, null, /object, not true/],
    ["an empty object", {}, null, /"method" is missing/],
    ["an object without a method", { ...v, id: 7, params: {} }, 7, /"method" is missing/],
    ["a method that is a number", { ...v, id: 7, method: 5 }, 7, /"method" is 5/],
    ["a method that is null", { ...v, id: "x", method: null }, "x", /"method" is null/],
    ["a method that is an object, and no id", { ...v, method: {} }, null, /"method" is an object/],
    ["id null", { ...v, id: null, method: "a" }, null, /"id" is null/],
    ["an id that is an object", { ...v, id: { a: 1 }, method: "a" }, null, /"id" is an object/],
    ["an id that is an array", { ...v, id: [1], method: "a" }, null, /"id" is an array/],
    ["an id that is a boolean", { ...v, id: true, method: "a" }, null, /"id" is true/],
    [
      "an id beyond the range of a double",
      JSON.parse('{"jsonrpc":"2.0","id":1e999,"method":"a"}'),
      null,
      /"id" is Infinity/,
    ],
    ["params that are a string", { ...v, id: 7, method: "a", params: "x" }, 7, /"params" is "x"/],
    ["params that are a number", { ...v, id: 7, method: "a", params: 0 }, 7, /"params" is 0/],
    ["no jsonrpc member", { id: 7, method: "a" }, 7, /"jsonrpc" is undefined/],
    ["jsonrpc 1.0", { jsonrpc: "1.0", id: 7, method: "a" }, 7, /"jsonrpc" is "1.0"/],
    ["jsonrpc as a number", { jsonrpc: 2, id: 7, method: "a" }, 7, /"jsonrpc" is 2/],
  ];

  it.each(refused)("answers %s with -32600", (_name, message, id, why) => {
    const { wire, diagnostics, handled, survives } = open();
    wire.receive(message);
    expect(wire.sent).toEqual([{ ...v, id, error: { code: -32600, message: expect.stringMatching(why) as string } }]);
    expect(diagnostics.map((one) => one.id)).toEqual(["rpc.invalid-request"]);
    expect(handled).toEqual([]);
    survives();
  });

  it.each([
    ["params that are a string", { ...v, method: "a", params: "x" }],
    ["params that are a boolean", { ...v, method: "a", params: false }],
    ["no jsonrpc member", { method: "a" }],
    ["jsonrpc 1.0", { jsonrpc: "1.0", method: "a", params: {} }],
  ])("ignores a notification with %s, and reports it", (_name, message) => {
    const { wire, diagnostics, handled, survives } = open();
    wire.receive(message);
    expect(wire.texts).toEqual([]);
    expect(diagnostics).toEqual([
      { id: "rpc.invalid-notification", method: "a", message: expect.any(String) as string },
    ]);
    expect(handled).toEqual([]);
    survives();
  });

  it.each([
    ["an object", {}],
    ["an array", [1]],
    ["null", null],
    ["nothing", undefined],
  ])("takes %s as params", (_name, params) => {
    const { wire, diagnostics } = open();
    wire.request(1, "a", params);
    expect(wire.sent[0]?.result).toEqual(["a", params ?? null]);
    expect(diagnostics).toEqual([]);
  });

  it.each([[0], [-1], [1.5], [2 ** 53], [""], ["a\u2028b"], ["__proto__"]])("echoes the id %j", (id) => {
    const { wire, diagnostics } = open();
    wire.request(id, "a");
    expect(wire.sent[0]?.id).toBe(id);
    expect(diagnostics).toEqual([]);
  });

  it("handles methods named like members of an object", () => {
    const { wire } = open();
    for (const method of ["__proto__", "constructor", "toString", ""]) wire.request(1, method);
    expect(wire.sent.map(({ result }) => (result as unknown[])[0])).toEqual([
      "__proto__",
      "constructor",
      "toString",
      "",
    ]);
  });

  it("answers the second of two requests with one id -32600, and the first as ever", async () => {
    const wire = new Wire();
    let answer = (_value: unknown): void => {};
    jsonRpcPeer(wire).serve(handlerOf({ request: () => new Promise((resolve) => (answer = resolve)) }));
    wire.request(1, "first");
    const first = answer;
    wire.request(1, "second");
    expect(await wire.next()).toMatchObject({
      id: 1,
      error: { code: -32600, message: expect.stringContaining("duplicate id") as string },
    });
    first("done");
    expect(await wire.next()).toEqual({ ...v, id: 1, result: "done" });
    wire.request(1, "third");
    answer("again");
    expect(await wire.next()).toEqual({ ...v, id: 1, result: "again" });
  });

  it('takes 1 and "1" for two ids', () => {
    const { wire } = open();
    wire.request(1, "hang");
    wire.request("1", "a");
    expect(wire.sent).toEqual([{ ...v, id: "1", result: ["a", null] }]);
  });
});

describe("bytes that are not a message", () => {
  it("answers -32700 without their text, and reports them here", () => {
    const { wire, errors, survives } = open();
    const error = new WireError("framing", "no JSON: secret", { data: "secret" });
    wire.malformed(error);
    expect(wire.sent).toEqual([{ ...v, id: null, error: { code: -32700, message: "Parse error" } }]);
    expect(errors).toEqual([error]);
    survives();
  });

  it("answers a message over the limit with -32600, naming the limit", () => {
    const { wire, errors, survives } = open();
    const error = new WireError("too_large", "a message of 99 bytes; the limit is 64");
    wire.malformed(error);
    const message = "Invalid request: a message of 99 bytes; the limit is 64";
    expect(wire.sent).toEqual([{ ...v, id: null, error: { code: -32600, message } }]);
    expect(errors).toEqual([error]);
    survives();
  });
});

describe("text that is not a message, where it is reported", () => {
  const line = (excerpt: string): WireError => new WireError("framing", "no JSON", { data: { excerpt } });
  it.each<[string, (wire: Wire) => void, string]>([
    [
      "a line of a log",
      (wire) => wire.malformed(line("Starting up…\n")),
      "skipped text that is not a message: Starting up…",
    ],
    ["a line without an excerpt", (wire) => wire.malformed(new WireError("framing", "no JSON")), "no JSON"],
    ["a number", (wire) => void wire.receive(5), "skipped text that is not a message: 5"],
    ["an array", (wire) => void wire.receive(["a"]), 'skipped text that is not a message: ["a"]'],
    ["a log in JSON", (wire) => void wire.receive({ level: "info", id: 1 }), '{"level":"info","id":1}'],
  ])("quotes %s, and answers nothing", (_name, send, quote) => {
    const { wire, diagnostics, errors, survives } = open({ noise: "report" });
    send(wire);
    expect(wire.sent).toEqual([]);
    expect(errors).toEqual([]);
    expect(diagnostics).toMatchObject([{ id: "rpc.noise", message: expect.stringContaining(quote) as string }]);
    survives();
  });

  it("still answers a request that is broken", () => {
    const { wire } = open({ noise: "report" });
    void wire.receive({ ...v, id: 7, method: 5 });
    expect(wire.sent).toMatchObject([{ id: 7, error: { code: -32600 } }]);
  });

  it("still reports a message over the limit as an error", () => {
    const { wire, errors } = open({ noise: "report" });
    const error = new WireError("too_large", "a message of 99 bytes; the limit is 64");
    wire.malformed(error);
    expect([wire.sent, errors]).toEqual([[], [error]]);
  });
});

describe("a message that is not UTF-8", () => {
  const unreadable = new WireError("framing", "the message is not valid UTF-8", { data: { excerpt: "{" } });

  it.each(["answer", "report"] as const)("fails the call that it answers (noise: %s)", async (noise) => {
    const { wire, peer, survives } = open({ noise });
    const call = peer.request("a", {});
    wire.malformed(unreadable, { ...v, id: 1, result: "\uFFFD" });
    await expect(call).rejects.toMatchObject({
      code: "invalid_result",
      message: "a: the answer cannot be read: the message is not valid UTF-8",
    });
    wire.malformed(unreadable, { ...v, id: 1, result: "\uFFFD" });
    survives();
  });

  it.each(["answer", "report"] as const)("is answered with its id when it is a request (noise: %s)", (noise) => {
    const { wire, diagnostics, survives } = open({ noise });
    wire.malformed(unreadable, { ...v, id: 7, method: "a", params: "\uFFFD" });
    const message = "Parse error: the message is not valid UTF-8";
    expect(wire.sent).toEqual([{ ...v, id: 7, error: { code: -32700, message } }]);
    expect(diagnostics).toMatchObject([{ id: "rpc.unreadable", method: "a" }]);
    survives();
  });

  it("is reported by its method when it is a notification, where noise is reported", () => {
    const { wire, diagnostics, survives } = open({ noise: "report" });
    wire.malformed(unreadable, { ...v, method: "note", params: ["\uFFFD"] });
    const message = "ignored a message: the message is not valid UTF-8";
    expect([wire.sent, diagnostics]).toEqual([[], [{ id: "rpc.unreadable", method: "note", message }]]);
    survives();
  });

  it("gets an error without an id when it is a notification, where noise is answered", () => {
    const { wire, errors } = open();
    wire.malformed(unreadable, { ...v, method: "note" });
    expect(wire.sent).toEqual([{ ...v, id: null, error: { code: -32700, message: "Parse error" } }]);
    expect(errors).toEqual([unreadable]);
  });
});

describe("a message in text that is more than it", () => {
  const failed = (found: string, excerpt = "text") =>
    new WireError("framing", "not JSON", { data: { excerpt, found } });

  it.each(["answer", "report"] as const)("reports attached noise, and answers nothing (noise: %s)", (noise) => {
    const { wire, diagnostics, errors } = open({ noise });
    wire.malformed(failed("glued", "title{}"));
    expect([wire.sent, errors]).toEqual([[], []]);
    expect(diagnostics).toMatchObject([{ id: "rpc.glued", message: "not JSON: title{}" }]);
  });

  it.each(["answer", "report"] as const)("fails the call whose reply is broken (noise: %s)", async (noise) => {
    const { wire, peer, survives } = open({ noise });
    const call = peer.request("a", {});
    wire.malformed(failed("outline"), { ...v, id: 1 }); // it may be a request
    wire.malformed(failed("outline"), { level: "info", id: 1, msg: "a log" });
    wire.malformed(failed("outline"), { ...v, id: 1, result: null });
    await expect(call).rejects.toMatchObject({
      code: "invalid_result",
      message: "a: the answer cannot be read: not JSON",
    });
    survives();
  });

  it("answers a broken request with its id where noise is reported, and without one where noise is answered", () => {
    const request = { ...v, id: 7, method: "a", params: null };
    const sent = (["report", "answer"] as const).map((noise) => {
      const { wire } = open({ noise });
      wire.malformed(failed("outline"), request);
      return wire.sent;
    });
    expect(sent).toMatchObject([[{ id: 7, error: { code: -32700 } }], [{ id: null, error: { code: -32700 } }]]);
  });

  it("takes an awaited reply from text that may quote it, and ignores the second one", async () => {
    const { wire, peer, diagnostics } = open({ noise: "report" });
    const call = peer.request("a", {});
    wire.malformed(failed("quoted"), { ...v, id: 1, result: "fine" });
    await expect(call).resolves.toBe("fine");
    wire.answer(1, "fine");
    expect(diagnostics.map(({ id }) => id)).toEqual(["rpc.glued", "rpc.unknown-response"]);
  });

  it("takes nothing else from such text: a log may quote any message, also this side's answers", async () => {
    const { wire, peer, diagnostics, handled } = open({ noise: "report" });
    const call = peer.request("a", {});
    wire.request(1, "ping");
    wire.malformed(failed("quoted"), { ...v, id: 1, result: ["ping", null] });
    wire.malformed(failed("quoted"), { ...v, id: 2, method: "ping" });
    wire.malformed(failed("quoted"), { ...v, method: "note" });
    expect(handled).toEqual([]);
    expect(diagnostics.map(({ id }) => id)).toEqual(["rpc.noise", "rpc.noise", "rpc.noise"]);
    wire.answer(1, "fine");
    await expect(call).resolves.toBe("fine");
  });

  it("answers nothing to a binary frame that is ignored, and fails the call that it answers", async () => {
    const { wire, peer, diagnostics, errors } = open();
    const call = peer.request("a", {});
    wire.malformed(failed("binary"), { ...v, id: 7, method: "a" });
    wire.malformed(failed("binary"));
    wire.malformed(failed("binary"), { ...v, id: 1, result: 1 });
    await expect(call).rejects.toMatchObject({ code: "invalid_result" });
    expect([wire.sent.length, errors]).toEqual([1, []]);
    expect(diagnostics.map(({ id }) => id)).toEqual(["rpc.noise", "rpc.noise"]);
  });

  it("fails the call whose reply is too long", async () => {
    const { wire, peer } = open({ noise: "report" });
    const call = peer.request("a", {});
    const error = new WireError("too_large", "the message exceeds 64 bytes", { data: { found: "outline" } });
    wire.malformed(error, { ...v, id: 1, result: null });
    await expect(call).rejects.toThrow("a: the answer cannot be read: the message exceeds 64 bytes");
  });
});

describe("replies", () => {
  it('takes the id "1" for 1, and says so', async () => {
    const { wire, peer, diagnostics } = open();
    const call = peer.request("a", {});
    wire.answer("1", "fine");
    expect(await call).toBe("fine");
    expect(diagnostics).toEqual([{ id: "rpc.id-type", method: "a", message: expect.any(String) as string }]);
  });

  const strays: [string, unknown, string][] = [
    ["an id nobody asked with", { ...v, id: 99, result: 1 }, "rpc.unknown-response"],
    ["an id of another shape", { ...v, id: { a: 1 }, result: 1 }, "rpc.unknown-response"],
    ["an id like a number", { ...v, id: "01", result: 1 }, "rpc.unknown-response"],
    ["an id 1.0 as text", { ...v, id: "1.0", result: 1 }, "rpc.unknown-response"],
    ["no id but a result", { ...v, result: 1 }, "rpc.unknown-response"],
    [
      "id null and an error",
      { ...v, id: null, error: { code: -32700, message: "Parse error" } },
      "rpc.error-without-id",
    ],
    ["no id and an error", { ...v, error: { code: -32700, message: "Parse error" } }, "rpc.error-without-id"],
    ["no id and an error that is text", { error: "boom" }, "rpc.error-without-id"],
    ["params beside its result", { ...v, id: 99, result: 1, params: {} }, "rpc.unknown-response"],
  ];
  it.each(strays)("ignores one with %s, and reports it", async (_name, message, id) => {
    const { wire, peer, diagnostics, survives } = open();
    const call = peer.request("a", {});
    wire.texts.length = 0;
    wire.receive(message);
    expect(wire.texts).toEqual([]);
    expect(diagnostics.map((one) => one.id)).toEqual([id]);
    survives();
    wire.answer(1, "fine");
    expect(await call).toBe("fine");
  });

  it("settles a call once, whatever comes after its reply", async () => {
    const { wire, peer, diagnostics, survives } = open();
    const call = peer.request("a", {});
    wire.answer(1, "first");
    wire.answer(1, "second");
    wire.receive({ ...v, id: 1, error: { code: 1, message: "third" } });
    expect(await call).toBe("first");
    expect(diagnostics.map((one) => one.id)).toEqual(["rpc.unknown-response", "rpc.unknown-response"]);
    survives();
  });

  const odd: [string, object, unknown, string[]][] = [
    [
      "both a result and an error",
      { result: 1, error: { code: 5, message: "no" } },
      { code: 5, message: "no" },
      ["rpc.result-and-error"],
    ],
    [
      "result null and an error",
      { result: null, error: { code: 5, message: "no" } },
      { code: 5, message: "no" },
      ["rpc.result-and-error"],
    ],
    ["an error that is text", { error: "no" }, { code: -32603, message: "no", data: "no" }, ["rpc.error-shape"]],
    ["an error without a code", { error: { message: "no" } }, { code: -32603, message: "no" }, ["rpc.error-shape"]],
    ["an error without a message", { error: { code: 5 } }, { code: 5, data: { code: 5 } }, ["rpc.error-shape"]],
    ["an error that is a list", { error: [1] }, { code: -32603, data: [1] }, ["rpc.error-shape"]],
    [
      "an error and no version",
      { jsonrpc: undefined, error: { code: 5, message: "no" } },
      { code: 5 },
      ["rpc.version"],
    ],
  ];
  it.each(odd)("rejects a call whose reply has %s", async (_name, reply, error, ids) => {
    const { wire, peer, diagnostics, survives } = open();
    const call = rejection(peer.request("a", {}));
    wire.texts.length = 0;
    wire.receive({ ...v, id: 1, ...reply });
    expect(await call).toMatchObject({ name: "RemoteError", ...(error as object) });
    expect(diagnostics.map((one) => one.id)).toEqual(ids);
    survives();
  });

  const tolerated: [string, object, unknown, string[]][] = [
    ["no version", { jsonrpc: undefined, result: 1 }, 1, ["rpc.version"]],
    ["a result and error null", { result: 1, error: null }, 1, ["rpc.result-and-error"]],
    ["error null alone", { error: null }, null, ["rpc.no-result"]],
    ["neither result nor error", {}, null, ["rpc.no-result"]],
  ];
  it.each(tolerated)("resolves a call whose reply has %s", async (_name, reply, result, ids) => {
    const { wire, peer, diagnostics, survives } = open();
    const call = peer.request("a", {});
    wire.texts.length = 0;
    wire.receive({ ...v, id: 1, ...reply });
    expect(await call).toBe(result);
    expect(diagnostics.map((one) => one.id)).toEqual(ids);
    survives();
  });
});

describe("a handler that throws where it should listen", () => {
  it("does not break the connection", () => {
    const wire = new Wire();
    const fail = (): never => {
      throw new Error("bad callbacks");
    };
    jsonRpcPeer(wire).serve({
      request: () => "alive",
      notification: fail,
      session: fail,
      diagnostic: fail,
      error: fail,
    });
    wire.receive(5);
    wire.notify("a", {});
    wire.malformed(new WireError("framing", "no JSON"));
    wire.answer(9, 1);
    wire.request(1, "ping");
    expect(wire.sent.at(-1)).toEqual({ ...v, id: 1, result: "alive" });
  });
});
