import { RemoteError, WireError } from "@editwire/core";
import { expect, test } from "vitest";
import { describeFailure, SignInNeeded } from "../../src/render/failure.js";
import { plain } from "../looks.js";

test("an agent that died: how, and the end of its stderr", () => {
  const stderr = `${Array.from({ length: 12 }, (_, index) => `line ${index}`).join("\n")}\u001b[31m!\n`;
  const lines = describeFailure(
    new WireError("closed", "agent exited with code 3", { data: { exitCode: 3, signal: null, stderr } }),
    plain.colors,
  );
  expect(lines[0]).toBe("✗ The agent is gone: agent exited with code 3");
  expect(lines[1]).toBe("  the last 10 lines of its stderr:");
  expect(lines.at(-1)).toBe("  │ line 11!");
  expect(lines).toHaveLength(12);
});

test("a call that failed with the connection: why that is closed", () => {
  const cause = new WireError("not_connected", 'cannot start "agent": no such command');
  const error = new WireError("closed", `initialize: ${cause.message}`, { cause });
  expect(describeFailure(error, plain.colors)).toEqual(['✗ cannot start "agent": no such command']);
});

test("an error that the agent answers with", () => {
  const lines = describeFailure(new RemoteError(-32602, "unsupported mode\u0007"), plain.colors);
  expect(lines).toEqual(["✗ The agent answers with an error: unsupported mode␇ (-32602)"]);
});

test("the details of an error that the agent answers with", () => {
  const describe = (data: unknown) => describeFailure(new RemoteError(-32000, "No quota", data), plain.colors).slice(1);
  expect(describe("Wait until\nnoon\u001b[2J")).toEqual(["  │ Wait until", "  │ noon"]);
  expect(describe({ retryAfter: 3 })).toEqual(["  │ {", '  │   "retryAfter": 3', "  │ }"]);
  expect(describe(Array.from({ length: 20 }, (_, index) => index)).slice(-2)).toEqual([
    "  │   8,",
    "  │ … 12 more lines",
  ]);
  for (const nothing of [undefined, null, "  "]) expect(describe(nothing)).toEqual([]);
});

test("a user who must sign in: the ways to do so that this client has", () => {
  const methods = [
    { id: "page", name: "In the browser", description: "Opens a page" },
    { id: "tui", name: "At a terminal", type: "terminal" },
    {
      id: "key",
      name: "API\u0007 key",
      type: "env_var",
      vars: [{ name: "KEY" }, { name: "ORG" }, { name: "REGION", optional: true }],
    },
  ];
  const refusal = new RemoteError(-32000, "Authentication required");
  expect(describeFailure(new SignInNeeded(refusal, methods), plain.colors)).toEqual([
    "✗ The agent answers with an error: Authentication required (-32000)",
    "  sign in with --sign-in page  In the browser. Opens a page",
    "  sign in by setting KEY, ORG  API␇ key",
  ]);
});

test("a refusal of a user who is not signed in, by an agent that names no way to sign in", () => {
  const refusal = new RemoteError(-32000, "Authentication required");
  for (const methods of [[], [{ id: "t", name: "In a terminal", type: "terminal" }]])
    expect(describeFailure(new SignInNeeded(refusal, methods), plain.colors)).toEqual([
      "✗ The agent answers with an error: Authentication required (-32000)",
      "  sign in with the agent's own program, then start it here again",
    ]);
});

test("anything else by its message", () => {
  expect(describeFailure(new WireError("not_connected", "cannot start"), plain.colors)).toEqual(["✗ cannot start"]);
  expect(describeFailure("odd", plain.colors)).toEqual(["✗ odd"]);
});
