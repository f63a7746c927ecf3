import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { WireError } from "@editwire/core";
import { type BindingOptions, claimTransport, safeListeners, splitOptions, toStderr } from "../src/index.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("splits the options, with their defaults", () => {
  const profile = { name: "mine" };
  const { connect, peer, timeoutMs } = splitOptions("connectAcp", "acpProfiles", {
    profile,
    maxCalls: 5,
    strict: true,
  });
  expect(connect).toMatchObject({ profile, strict: true });
  expect(peer.maxCalls).toBe(5);
  expect(timeoutMs).toBe(60_000);
});

it.each([
  [{ profile: "v1" }, 'expected profile to be an object such as acpProfiles.spec, received the string "v1"'],
  [{ timeoutMs: "5s" }, 'expected timeoutMs to be a number from 0 on, received the string "5s"'],
  [{ maxCalls: Number.NaN }, "expected maxCalls to be a number from 0 on, received the number NaN"],
  [{ onError: console }, "expected onError to be a function, received an object"],
  [undefined, "expected options to be an object, received undefined"],
])("names what is wrong with %j", (options, message) => {
  expect(() => splitOptions("connectAcp", "acpProfiles", options as BindingOptions)).toThrow(
    new TypeError(`connectAcp: ${message}`),
  );
});

it("takes other words for options that it does not have, and not for misspelled ones", () => {
  for (const key of ["cost", "post", "ghosts", "callback", "readers"])
    expect(() => splitOptions("connectAcp", "acpProfiles", { [key]: 1 })).not.toThrow();
  const misspelled = { onErorr: () => {} } as BindingOptions;
  expect(() => splitOptions("connectAcp", "acpProfiles", misspelled)).toThrow("did you mean onError?");
});

it("refuses a second connection over one transport", () => {
  const transport = { start() {}, send() {} };
  claimTransport("serveAcp", transport);
  expect(() => claimTransport("serveAcp", transport)).toThrow("serveAcp: the transport has a connection already");
});

it("gives what a listener throws to onError, and drops what onError throws", () => {
  const errors: unknown[] = [];
  const broken = (): never => {
    throw new Error("broken listener");
  };
  const diagnostic = { id: "x", method: undefined, message: "m" };
  safeListeners({ onDiagnostic: broken, onError: (error) => errors.push(error) }).onDiagnostic(diagnostic);
  expect(errors).toHaveLength(1);
  expect(() => safeListeners({ onDiagnostic: broken, onError: broken }).onDiagnostic(diagnostic)).not.toThrow();
});

it("writes one line about a peer that is not connected, and the whole of other errors", () => {
  const lines: unknown[][] = [];
  const log = toStderr({ write: (...parts) => lines.push(parts) });
  const bug = new Error("a bug");
  log(new WireError("not_connected", "nobody listens on port 1", { cause: new Error("ECONNREFUSED") }), undefined);
  log(bug, "session/update");
  expect(lines).toEqual([
    ["connection:", "nobody listens on port 1"],
    ["session/update:", bug],
  ]);
});

it("writes the first errors of a second, then how many it left out", () => {
  const lines: unknown[][] = [];
  const log = toStderr({ maxPerSecond: 2, write: (...parts) => lines.push(parts) });
  for (let index = 0; index < 5; index++) log(index, index === 0 ? undefined : "session/update");
  expect(lines).toEqual([
    ["connection:", 0],
    ["session/update:", 1],
  ]);
  vi.advanceTimersByTime(1_000);
  expect(lines.at(-1)).toEqual(["3 more errors in this second"]);
  log(6, undefined);
  expect(lines.at(-1)).toEqual(["connection:", 6]);
});
