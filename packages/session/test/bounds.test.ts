import type { Diagnostic } from "@editwire/core";
import { expect, it, onTestFinished, vi } from "vitest";
import { charsOf } from "@editwire/peer";
import { EarlyMessages, History, SessionMap, Store } from "../src/index.js";

it("keeps a history by count and by characters", () => {
  const counted = new History<number>({ maxItems: 3 });
  for (const item of [1, 2, 3, 4, 5]) counted.add(item);
  expect(counted.items).toEqual([3, 4, 5]);
  const sized = new History<string>({ maxChars: 1_000 });
  for (let index = 0; index < 100; index++) sized.add(`${index % 10}`.repeat(398));
  expect(sized.items.map((item) => item[0])).toEqual(["8", "9"]);
  sized.add("x".repeat(2_000));
  expect(sized.items).toEqual([]);
  sized.replace(["a", "b"]);
  expect(sized.items).toEqual(["a", "b"]);
});

it("replaces an item of a history, and counts its characters", () => {
  const history = new History<{ text: string }>({ maxItems: 3, maxChars: 1_000 });
  const [a, b, c, d] = ["a", "b", "c", "d"].map((text) => ({ text })) as [never, never, never, { text: string }];
  expect(history.last).toBeUndefined();
  for (const item of [a, b, c, d]) history.add(item);
  expect(history.last).toBe(d);
  history.swap(a, { text: "dropped before" });
  expect(history.items).toEqual([b, c, d]);
  const long = { text: "x".repeat(800) };
  history.swap(c, long);
  expect(history.items).toEqual([b, long, d]);
  history.swap(d, { text: "y".repeat(170) });
  expect(history.items.map(({ text }) => text[0])).toEqual(["x", "y"]);
  history.swap(long, { text: "z" });
  history.add({ text: "w".repeat(500) });
  expect(history.items.map(({ text }) => text[0])).toEqual(["z", "y", "w"]);
});

it("counts characters about as JSON does, at any depth", () => {
  const value = { type: "text", list: ["abc", { text: "x".repeat(1_000) }], n: 1 };
  expect(charsOf(value)).toBeGreaterThan(1_000);
  expect(Math.abs(charsOf(value) - JSON.stringify(value).length)).toBeLessThan(20);
  let deep: unknown = "end";
  for (let depth = 0; depth < 100_000; depth++) deep = [deep];
  expect(charsOf(deep)).toBeGreaterThan(100_000);
});

it("forgets the least recently used session that is not running", () => {
  const sessions = new SessionMap<{ id: string; running: boolean }>(2);
  const [a, b, c] = ["a", "b", "c"].map((id) => ({ id, running: id === "b" })) as [never, never, never];
  sessions.add(a);
  sessions.add(b);
  sessions.use("a");
  sessions.add(c);
  expect(sessions.all.map(({ id }) => id)).toEqual(["b", "c"]);
  expect(sessions.delete({ id: "b", running: false })).toBe(false);
  expect(sessions.delete(b)).toBe(true);
  expect(sessions.size).toBe(1);
});

it("keeps messages while a session is being opened, and reports what nobody took", async () => {
  const diagnostics: Diagnostic[] = [];
  const onDiagnostic = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const early = new EarlyMessages<string>({
    id: "unknown-session",
    method: "session/update",
    subject: "session",
    onDiagnostic,
  });
  early.keep("s0", "nothing is being opened");
  const taken = await early.during(async () => {
    early.keep("s1", "a");
    early.keep("s2", "x");
    early.keep("s1", "b");
    early.keep("s2", "y");
    return early.take("s1");
  });
  expect(taken).toEqual(["a", "b"]);
  expect(diagnostics.map(({ message }) => message)).toEqual([
    "1 message for the unknown session s0 dropped",
    "2 messages for the unknown session s2 dropped",
  ]);
});

/** Messages for ids that are never known, with what is reported of them. */
function unknownIds() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const reports: string[] = [];
  const onDiagnostic = ({ message }: Diagnostic): void => void reports.push(message);
  return { reports, early: new EarlyMessages<string>({ id: "x", method: "m", subject: "session", onDiagnostic }) };
}

it("reports what comes for an unknown id once in a second, with the number of the others", () => {
  const { early, reports } = unknownIds();
  for (let index = 0; index < 1_000; index++) early.keep("s", "x");
  early.keep("t", "x");
  expect(reports).toEqual(["s", "t"].map((id) => `1 message for the unknown session ${id} dropped`));
  vi.advanceTimersByTime(1_000);
  expect(reports.slice(2)).toEqual(["999 more messages for the unknown session s dropped"]);
  early.keep("s", "x");
  vi.advanceTimersByTime(1_000);
  expect(reports.slice(3)).toEqual(["1 message for the unknown session s dropped"]);
});

it("reports unknown ids without end as others", () => {
  const { early, reports } = unknownIds();
  for (let index = 0; index < 1_000; index++) early.keep(`s${index}`, "x");
  expect(reports).toHaveLength(100);
  vi.advanceTimersByTime(1_000);
  expect(reports.slice(100)).toEqual(["900 more messages for other unknown sessions dropped"]);
});

it("bounds what it keeps early by characters", async () => {
  const { early, reports } = unknownIds();
  const kept = await early.during(async () => {
    for (let index = 0; index < 20; index++) early.keep("s", "x".repeat(1_048_576));
    return early.take("s").length;
  });
  vi.advanceTimersByTime(1_000);
  const dropped = reports.reduce((count, report) => count + Number.parseInt(report), 0);
  expect([kept, dropped]).toEqual([15, 5]);
});

it("calls listeners with each new state, whatever another listener throws", () => {
  const errors: unknown[] = [];
  const store = new Store(1, (error) => errors.push(error));
  const seen: number[] = [];
  store.subscribe(() => {
    throw new Error("broken view");
  });
  const end = store.subscribe((state) => seen.push(state));
  store.set(2);
  store.set(2);
  end();
  store.set(3);
  expect([seen, errors.length, store.state]).toEqual([[2], 2, 3]);
});
