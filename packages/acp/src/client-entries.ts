import { charsOf } from "@editwire/peer";
import type { AcpEntry } from "./client-state.js";

/** Entries that a state keeps; the oldest are dropped first. */
const maxEntries = 10_000;
/** Characters that they may have together. */
const maxChars = 8 * 1_048_576;
/** Characters of one text, above which the next text begins a new entry. */
export const maxTextChars = 1_048_576;

export type Entries = readonly AcpEntry[];

/** The characters of entries that were counted before. Entries never change, so a count stays right. */
const counted = new WeakMap<Entries, number>();

/** The entries with one more at the end, without the oldest ones when there is too much. */
export function appended(entries: Entries, entry: AcpEntry): Entries {
  return trimmed([...entries, entry], charsIn(entries) + charsOfEntry(entry));
}

/** The entries with another one at this index. */
export function replaced(entries: Entries, index: number, entry: AcpEntry): Entries {
  const before = entries.at(index);
  const freed = before === undefined ? 0 : charsOfEntry(before);
  return trimmed(entries.with(index, entry), charsIn(entries) - freed + charsOfEntry(entry));
}

/** The last entry stays, however long it is. */
function trimmed(entries: Entries, total: number): Entries {
  let chars = total;
  let dropped = 0;
  while (dropped < entries.length - 1 && (entries.length - dropped > maxEntries || chars > maxChars))
    chars -= charsOfEntry(entries[dropped++] as AcpEntry);
  const kept = dropped === 0 ? entries : entries.slice(dropped);
  counted.set(kept, chars);
  return kept;
}

function charsIn(entries: Entries): number {
  return counted.get(entries) ?? entries.reduce((sum, entry) => sum + charsOfEntry(entry), 0);
}

function charsOfEntry(entry: AcpEntry): number {
  return entry.type === "message" || entry.type === "thought" ? entry.text.length : charsOf(entry);
}
