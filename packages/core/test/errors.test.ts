import { describeIssues, ErrorCode, isRemoteError, isWireError, RemoteError, WireError } from "@editwire/core/errors";
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.resetModules();
});

test("a WireError carries its code, data and cause", () => {
  const cause = new Error("pipe");
  const error = new WireError("closed", "the process died", { cause, data: { exitCode: 3 } });
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({
    name: "WireError",
    code: "closed",
    message: "the process died",
    data: { exitCode: 3 },
    cause,
  });
  expect(String(error)).toBe("WireError: the process died");
  expect("cause" in new WireError("closed", "x")).toBe(false);
});

test("a RemoteError carries its code and data", () => {
  const error = new RemoteError(-32002, "not found", { id: 1 }, { cause: "c" });
  expect(error).toMatchObject({ name: "RemoteError", code: -32002, message: "not found", data: { id: 1 }, cause: "c" });
});

test("the factories use the codes of JSON-RPC", () => {
  expect(RemoteError.invalidRequest("busy", 1)).toMatchObject({
    code: ErrorCode.InvalidRequest,
    message: "busy",
    data: 1,
  });
  expect(RemoteError.methodNotFound("a/b")).toMatchObject({
    code: -32601,
    message: "Method not found: a/b",
    data: { method: "a/b" },
  });
  expect(RemoteError.invalidParams("bad", [])).toMatchObject({ code: -32602, data: [] });
  expect(RemoteError.internal()).toMatchObject({ code: -32603, message: "Internal error", data: undefined });
});

test("the guards tell kind and code", () => {
  const wire = new WireError("timeout", "x");
  const remote = new RemoteError(-32600, "x");
  expect([isWireError(wire), isWireError(wire, "timeout"), isWireError(wire, "closed"), isWireError(remote)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([
    isRemoteError(remote),
    isRemoteError(remote, -32600),
    isRemoteError(remote, -1),
    isRemoteError(wire),
  ]).toEqual([true, true, false, false]);
  for (const other of [new Error("x"), { code: -32600, name: "RemoteError" }, null, undefined, "x"]) {
    expect([isWireError(other), isRemoteError(other)]).toEqual([false, false]);
  }
});

test("two copies of the module recognise each other's errors", async () => {
  vi.resetModules();
  const copy = await import("@editwire/core/errors");
  expect(copy.WireError).not.toBe(WireError);
  const wire = new copy.WireError("closed", "x");
  const remote = new copy.RemoteError(-32000, "x");
  expect(wire instanceof WireError && isWireError(wire, "closed")).toBe(true);
  expect(remote instanceof RemoteError && isRemoteError(remote, -32000)).toBe(true);
  expect(wire instanceof RemoteError || remote instanceof WireError).toBe(false);
  expect(copy.isWireError(new WireError("closed", "x"))).toBe(true);
});

test("the brand does not show in the error's own properties", () => {
  expect(Object.keys(new WireError("closed", "x")).sort()).toEqual(["code", "data", "name"]);
  expect(JSON.parse(JSON.stringify(new RemoteError(1, "x", 2)))).toEqual({ name: "RemoteError", code: 1, data: 2 });
});

test("issues are described after the method, one after the other", () => {
  const issues = [
    { path: "params.a", message: "expected string" },
    { path: "params.b.0", message: "expected int" },
  ];
  expect(describeIssues("a/b", issues)).toBe("a/b: params.a: expected string; params.b.0: expected int");
});
