import { describe, expect, test } from "vitest";
import { checkTrace, readTrace } from "../src/index.js";
import { UsageError } from "../src/core/errors.js";
import { findProtocol } from "../src/protocols/all.js";
import { Trace } from "../src/trace/trace.js";
import { writeTrace } from "../src/trace/file.js";
import { describePattern, matches, where } from "../src/trace/pattern.js";
import { isFlood, type NewEntry } from "../src/trace/trace.js";
import { trimmed } from "../src/trace/trim.js";

const acp = findProtocol("acp");
const say = (from: string, message: object): string =>
  `${JSON.stringify({ from, message: { jsonrpc: "2.0", ...message } })}\n`;
const handshake =
  say("client", { id: 1, method: "initialize", params: { protocolVersion: 1 } }) +
  say("agent", { id: 1, result: { protocolVersion: 1 } });
const failures = (text: string, role = "agent"): string[] =>
  checkTrace(acp, role, text, "spec")
    .checks.filter(({ verdict }) => verdict !== "pass")
    .map(({ req }) => req);

describe("trace files", () => {
  test("hold every kind of entry", () => {
    const trace = new Trace();
    trace.add({ kind: "bytes", from: "target", bytes: Buffer.from("{}\n") });
    trace.add({ kind: "bytes", from: "target", bytes: Buffer.from([0xff, 0x00]) });
    trace.add({ kind: "message", from: "suite", message: { a: "ä" } });
    trace.add({ kind: "malformed", from: "target", problem: "p", excerpt: "e" });
    trace.add({ kind: "stderr", from: "target", text: "oops\n" });
    trace.add({ kind: "event", from: "suite", name: "half-close" });
    const without = (entries: readonly object[]) => entries.map(({ at: _at, ...rest }: { at?: number }) => rest);
    expect(without(readTrace(writeTrace(trace.entries), "agent").entries)).toEqual(without(trace.entries));
  });

  test.each([
    ["no JSON", "{"],
    ["no sender", '{"message":1}'],
    ["no message", '{"from":"agent"}'],
  ])("%s is a usage error that names the line", (_name, line) => {
    expect(() => checkTrace(acp, "agent", `\n${line}\n`)).toThrow(UsageError);
    expect(() => checkTrace(acp, "agent", `\n${line}\n`)).toThrow(/line 2/);
  });

  test("are cut where they are too large for a report", () => {
    const trace = new Trace();
    for (let n = 0; n < 10_000; n++)
      trace.add({ kind: "bytes", from: "target", bytes: Buffer.alloc(n === 0 ? 100_000 : 1) });
    const cut = trimmed(trace.entries);
    expect(cut).toHaveLength(4_000);
    expect(cut[0]).toMatchObject({ bytes: { length: 65_536 } });
    expect(cut.at(-1)?.seq).toBe(9_999);
    const large = Array.from({ length: 1_000 }, (_, seq) => ({
      ...({ kind: "stderr", from: "target", text: "x".repeat(70_000) } as const),
      seq,
      at: seq,
    }));
    const held = trimmed(large);
    expect(JSON.stringify(held).length).toBeLessThan(2.2 * 1024 * 1024);
    expect([held[0]?.seq, held.at(-1)?.seq]).toEqual([0, 999]);
  });
});

describe("a trace with a budget", () => {
  const budget = { bytes: 1_000, entries: 10, chunks: 20 };
  const bytes = (size: number): NewEntry => ({ kind: "bytes", from: "target", bytes: Buffer.alloc(size) });
  const messages = Array.from({ length: 11 }, () => "message");
  const stderr = (size: number): NewEntry => ({ kind: "stderr", from: "target", text: "x".repeat(size) });

  test.each<[string, NewEntry, number, string[]]>([
    ["bytes", bytes(400), 3, ["bytes", "bytes", "bytes", "malformed", "event"]],
    ["chunks", bytes(1), 21, [...Array.from({ length: 21 }, () => "bytes"), "malformed", "event"]],
    ["messages", { kind: "message", from: "target", message: {} }, 11, [...messages, "malformed", "event"]],
    ["stderr", stderr(600), 2, ["stderr", "stderr", "event"]],
  ])("ends at a flood of %s, and keeps nothing that comes then", async (_name, entry, count, kinds) => {
    const trace = new Trace(budget);
    for (let sent = 1; sent <= count; sent++) {
      expect(trace.isFlooded).toBe(false);
      trace.add(entry);
    }
    await trace.flooded;
    for (const late of [bytes(1), stderr(1)]) trace.add(late);
    expect(trace.entries.map(({ kind }) => kind)).toEqual(kinds);
    expect(trace.entries.filter(isFlood)).toHaveLength(1);
  });

  test("lets the suite send anything", () => {
    const trace = new Trace(budget);
    for (let sent = 0; sent < 100; sent++) trace.add({ ...bytes(1_000), from: "suite" });
    expect(trace.isFlooded).toBe(false);
    expect(trace.hasUsed(0.1)).toBe(false);
  });

  test("has a share of it used", () => {
    const trace = new Trace(budget);
    trace.add(bytes(300));
    expect([trace.hasUsed(0.25), trace.hasUsed(0.5)]).toEqual([true, false]);
  });
});

describe("checkTrace", () => {
  test("a good session passes, an empty one incomplete", () => {
    expect(checkTrace(acp, "agent", handshake)).toMatchObject({ outcome: "passed", exitCode: 0 });
    expect(checkTrace(acp, "agent", "")).toMatchObject({ outcome: "incomplete", exitCode: 3 });
  });

  test.each<[string, string, string[]]>([
    ["a response nobody asked for", say("agent", { id: 9, result: {} }), ["ACP-RPC-003"]],
    ["a second answer", say("agent", { id: 1, result: { protocolVersion: 1 } }), ["ACP-RPC-004"]],
    ["no jsonrpc", '{"from":"agent","message":{"id":1}}\n', ["ACP-RPC-001"]],
    ["an error without a message", say("agent", { id: 1, error: { code: -1 } }), ["ACP-RPC-002"]],
    [
      "an update of an unknown session",
      say("agent", {
        method: "session/update",
        params: { sessionId: "x", update: { sessionUpdate: "plan", entries: [] } },
      }),
      ["ACP-UPDATE-006"],
    ],
    [
      "an unknown kind of update",
      say("agent", { method: "session/update", params: { sessionId: "x", update: { sessionUpdate: "song" } } }),
      ["ACP-UPDATE-001", "ACP-UPDATE-006"],
    ],
    [
      "an invalid update",
      say("agent", { method: "session/update", params: { sessionId: "x", update: { sessionUpdate: "plan" } } }),
      ["ACP-SCHEMA-session/update:params", "ACP-UPDATE-006"],
    ],
  ])("%s", (_name, line, expected) => {
    expect(failures(handshake + line).sort()).toEqual(expected);
  });

  test("judges the role that is given", () => {
    const early = say("client", { id: 2, method: "session/prompt", params: { sessionId: "x", prompt: [] } });
    expect(failures(handshake + early, "agent")).toEqual([]);
    expect(failures(handshake + early, "client")).toEqual(["ACP-SESSION-009"]);
    expect(() => checkTrace(acp, "judge", handshake)).toThrow(/no role "judge"/);
  });
});

describe("patterns", () => {
  test.each<[unknown, unknown, boolean]>([
    [{ a: 1, b: 2 }, { a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: { b: [1, { c: 2, d: 3 }] } }, { a: { b: [1, { c: 2 }] } }, true],
    [[1, 2], [1], false],
    ["abc", /^a/, true],
    [3, (n: unknown) => Number(n) > 2, true],
    [null, {}, false],
    [0, undefined, true],
    ["1", 1, false],
  ])("%j like %j: %s", (value, pattern, expected) => {
    expect(matches(value, pattern)).toBe(expected);
  });

  test("can be read in a report", () => {
    const isEven = where("an even number", (value: unknown) => Number(value) % 2 === 0);
    expect(matches({ b: 4 }, { b: isEven })).toBe(true);
    expect(describePattern({ a: /x/, b: isEven })).toBe('{"a":"/x/","b":"<an even number>"}');
    expect(describePattern(isEven)).toBe("an even number");
    expect(() => describePattern({ b: () => true })).toThrow(/without words/);
  });
});
