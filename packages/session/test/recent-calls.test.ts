import { expect, it } from "vitest";
import { RecentCalls } from "../src/index.js";

interface Call {
  readonly ended: boolean;
  readonly text: string;
}

const mebi = 1_048_576;
const ids = Array.from({ length: 2_000 }, (_, index) => String(index));
const newCalls = (): RecentCalls<Call> => new RecentCalls(({ ended }) => ended);

/** Sets a call as a message of its length does. */
function set(calls: RecentCalls<Call>, id: string, text: string, { ended = true } = {}): void {
  calls.set(id, { ended, text }, text.length);
}

function known(calls: RecentCalls<Call>): string[] {
  return ids.filter((id) => calls.get(id) !== undefined);
}

it("keeps the 1,000 calls that changed last", () => {
  const calls = newCalls();
  for (const id of ids) set(calls, id, "x");
  set(calls, "1000", "again");
  set(calls, "new", "x");
  expect(known(calls)).toEqual(["1000", ...ids.slice(1_002)]);
});

it("keeps at most 2 Mi characters, and of those that do not fit the ones that run", () => {
  const calls = newCalls();
  set(calls, "0", "runs", { ended: false });
  for (const id of ids.slice(1, 300)) set(calls, id, "x".repeat(100_000));
  expect(calls.get("0")?.text).toBe("runs");
  expect(calls.get("299")).toBeDefined();
  const chars = known(calls).reduce((sum, id) => sum + (calls.get(id)?.text.length ?? 0), 0);
  expect(chars).toBeLessThanOrEqual(2 * mebi);
  expect(chars).toBeGreaterThan(mebi / 2);
});

it("drops calls that run, too, when nothing else is left", () => {
  const calls = newCalls();
  for (const id of ids.slice(0, 100)) set(calls, id, "x".repeat(mebi), { ended: false });
  expect(known(calls).length).toBeLessThanOrEqual(2);
  expect(calls.get("99")).toBeDefined();
});

it("counts what a call has now, not what it had before", () => {
  const calls = newCalls();
  set(calls, "0", "other");
  for (let change = 0; change < 100; change++) set(calls, "1", "x".repeat(100_000));
  expect(known(calls)).toEqual(["0", "1"]);
});

it("counts a call that is too large by itself once, and not at each of its changes", () => {
  let reads = 0;
  const large = { ended: false, text: "x".repeat(4 * mebi) };
  const counted = new Proxy(large, { ownKeys: (target) => (reads++, Reflect.ownKeys(target)) });
  const calls = newCalls();
  calls.set("0", counted, large.text.length);
  for (let change = 0; change < 1_000; change++) calls.set("0", counted, 100);
  expect(reads).toBeGreaterThan(0);
  expect(reads).toBeLessThan(5);
});

it("forgets what is deleted, with its characters", () => {
  const calls = newCalls();
  set(calls, "0", "stays");
  for (let call = 0; call < 100; call++) {
    set(calls, "1", "x".repeat(100_000));
    calls.delete("1");
  }
  expect(known(calls)).toEqual(["0"]);
});
