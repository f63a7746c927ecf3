import type { TraceEntry } from "./trace.js";

const MAX_ENTRIES = 4_000;
const MAX_BYTES = 64 * 1024;

/**
 * A trace that a report can hold, whatever the target sent: the first and the last entries, and the beginning of large
 * chunks.
 */
export function trimmed(entries: readonly TraceEntry[]): TraceEntry[] {
  const half = MAX_ENTRIES / 2;
  const kept = entries.length > MAX_ENTRIES ? [...entries.slice(0, half), ...entries.slice(-half)] : entries;
  return kept.map((entry) =>
    entry.kind === "bytes" && entry.bytes.length > MAX_BYTES
      ? { ...entry, bytes: entry.bytes.slice(0, MAX_BYTES) }
      : entry,
  );
}
