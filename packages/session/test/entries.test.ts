import { describe, expect, it } from "vitest";
import { Entries, EntriesState, type EntryId, LatestMap } from "../src/index.js";

interface Call {
  readonly toolCallId: string;
  readonly status: string;
  readonly output?: string;
}

type Entry = EntryId &
  (
    | { readonly type: "message"; readonly role?: string; readonly text: string }
    | { readonly type: "note"; readonly note: string }
    | { readonly type: "tool_call"; readonly toolCall: Call }
  );

const create = (): Entries<Call, Entry> => new Entries();
const mebi = 1_048_576;

describe("entries", () => {
  it("join text of one role, also text that was not read yet", () => {
    const entries = create();
    for (const text of ["a", "b", "x".repeat(2_000), "c"]) entries.addText("message", "user", text);
    entries.addText("message", "assistant", "d");
    expect(entries.all).toMatchObject([
      { type: "message", role: "user", text: `ab${"x".repeat(2_000)}c` },
      { type: "message", role: "assistant", text: "d" },
    ]);
  });

  it("have places that stay, also after others were dropped", () => {
    const entries = create();
    const places = Array.from({ length: 10_003 }, (_, n) => entries.add({ type: "note", note: String(n) }));
    expect(entries.trimmed).toBe(true);
    expect(places.slice(0, 4).map((place) => entries.at(place))).toEqual([
      undefined,
      undefined,
      undefined,
      { entryId: "3", type: "note", note: "3" },
    ]);
    entries.replace(places.at(-2) as number, { type: "note", note: "other" });
    expect(entries.all.at(-2)).toEqual({ entryId: "10001", type: "note", note: "other" });
    entries.clear();
    expect([entries.all, entries.at(places.at(-1) as number), entries.trimmed]).toEqual([[], undefined, false]);
  });

  it("keep their ids while they change, and give none to another entry", () => {
    const entries = create();
    const idsOf = (): string[] => entries.all.map(({ entryId }) => entryId);
    entries.addText("message", "assistant", "a");
    const [text] = idsOf();
    entries.addText("message", "assistant", "b");
    entries.setToolCall({ toolCallId: "c", status: "pending" });
    const before = idsOf();
    entries.setToolCall({ toolCallId: "c", status: "in_progress" });
    entries.cancelToolCalls();
    entries.add({ type: "note", note: "n" });
    expect(idsOf().slice(0, 2)).toEqual(before);
    expect(before[0]).toBe(text);
    const shown = entries.all;
    entries.clear();
    entries.add({ type: "note", note: "new" });
    const [first] = entries.all;
    entries.add({ ...(shown[0] as Entry) }); // an entry that was there before
    entries.add({ type: "note", note: "last" });
    const ids = [...shown.map(({ entryId }) => entryId), String(first?.entryId), String(entries.all.at(-1)?.entryId)];
    expect(new Set(ids).size).toBe(5);
    expect(entries.all[1]?.entryId).toBe(text);
  });

  it("keep a tool call at its place, and forget a dropped one", () => {
    const entries = create();
    entries.setToolCall({ toolCallId: "a", status: "pending" });
    entries.setToolCall({ toolCallId: "b", status: "completed" });
    entries.setToolCall({ toolCallId: "a", status: "in_progress" });
    entries.cancelToolCalls();
    expect(entries.all).toMatchObject([{ toolCall: { status: "cancelled" } }, { toolCall: { status: "completed" } }]);
    entries.setToolCall({ toolCallId: "c", status: "completed", output: "x".repeat(3 * mebi) });
    expect(entries.all).toMatchObject([{ toolCall: { toolCallId: "c" } }]);
    expect([entries.toolCall("a"), entries.toolCall("c")?.status]).toEqual([undefined, "completed"]);
  });

  it("count a text that another takes the place of", () => {
    const entries = create();
    const place = entries.add({ type: "message", text: "x".repeat(2 * mebi) });
    entries.replace(place, { type: "message", text: "short" });
    entries.add({ type: "message", text: "y".repeat(mebi) });
    expect(entries.all).toHaveLength(2);
  });
});

describe("a state", () => {
  it("is made when it is read, and is the same until something changes", () => {
    const entries = create();
    const state = new EntriesState({ entries: entries.all, running: false }, entries, () => {});
    const first = state.value;
    expect(state.value).toBe(first);
    entries.add({ type: "note", note: "n" });
    state.changed(true);
    state.set({ running: true });
    expect(state.rest.running).toBe(true);
    expect(first).toEqual({ entries: [], running: false });
    expect(state.value).toEqual({ entries: [{ entryId: "0", type: "note", note: "n" }], running: true });
    expect(state.value).toBe(state.value);
  });

  it("keeps the array of its entries while those stay the same", () => {
    const entries = create();
    entries.add({ type: "note", note: "n" });
    const state = new EntriesState({ entries: entries.all, running: false }, entries, () => {});
    const { entries: before } = state.value;
    const seen: boolean[] = [];
    state.subscribe(({ running }) => seen.push(running));
    state.set({ running: true });
    expect(state.value.entries).toBe(before);
    expect(seen).toEqual([true]);
  });
});

it("forgets the values that were set the longest ago", () => {
  const latest = new LatestMap<string, number>(2);
  latest.set("a", 1).set("b", 2).set("a", 3).set("c", 4);
  expect([...latest]).toEqual([
    ["a", 3],
    ["c", 4],
  ]);
});
