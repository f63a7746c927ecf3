import { isRemoteError } from "@editwire/core";
import {
  commands,
  configurationDefaults,
  errorNameOf,
  kaiakRoute,
  sessionInUse,
  withDefaults,
} from "@editwire/kaiak-schema";
import { describe, expect, test } from "vitest";

const execute = "workspace/executeCommand";

function errorOf(params: unknown): unknown {
  try {
    return kaiakRoute.unwrap(execute, params);
  } catch (error) {
    return error;
  }
}

describe("the route", () => {
  test.each(commands)("%s goes as a command with exactly one argument, and comes back", (command) => {
    const sent = kaiakRoute.wrap(command, { a: 1 });
    expect(sent).toEqual({ method: execute, params: { command, arguments: [{ a: 1 }] } });
    expect(kaiakRoute.unwrap(sent.method, sent.params)).toEqual({ method: command, params: { a: 1 } });
  });

  test("other methods, and commands as plain methods, pass as they are", () => {
    for (const method of ["kaiak/stream/progress", "initialize"])
      expect(kaiakRoute.wrap(method, 1)).toEqual({ method, params: 1 });
    expect(kaiakRoute.unwrap("kaiak/configure", 1)).toEqual({ method: "kaiak/configure", params: 1 });
  });

  test.each([
    [undefined, "command"],
    [{ arguments: [{}] }, "command"],
    [{ command: 5, arguments: [{}] }, "command"],
    [{ command: "kaiak/configure" }, "arguments"],
    [{ command: "kaiak/configure", arguments: [] }, "arguments"],
    [{ command: "kaiak/configure", arguments: {} }, "arguments"],
  ])("B13: %j is -32602 about %s", (params, field) => {
    expect(errorOf(params)).toMatchObject({ code: -32602, data: { field } });
  });

  test("B12: an unknown command is -32601, with those that there are", () => {
    const error = errorOf({ command: "kaiak/fly", arguments: [{}] });
    expect(error).toMatchObject({ code: -32601, data: { requested_method: "kaiak/fly", supported_methods: commands } });
    expect(isRemoteError(error)).toBe(true);
  });
});

test("defaults fill what a configuration leaves out, and change nothing else", () => {
  const full = withDefaults({
    workspace: { working_dir: "/a", include_patterns: ["*.java"] },
    permissions: { tool_permissions: { write_file: "deny" } },
  });
  expect(full.workspace).toEqual({
    working_dir: "/a",
    include_patterns: ["*.java"],
    exclude_patterns: [".git/**", "target/**", "node_modules/**"],
  });
  expect(full.permissions.tool_permissions).toEqual({
    ...configurationDefaults.permissions.tool_permissions,
    write_file: "deny",
  });
  expect(full.tools).toEqual(configurationDefaults.tools);
});

test("an error has the name of its code", () => {
  expect(errorNameOf(sessionInUse("s", "2025-12-24T10:30:00Z"))).toBe("SessionInUse");
  expect(errorNameOf(new Error("x"))).toBeUndefined();
});
