import { sizeOf, type TraceEntry } from "./trace.js";

const MAX_ENTRIES = 4_000;
/** Of one entry, and of the first and the last entries each. */
const MAX_BYTES = 64 * 1024;
const MAX_HALF_BYTES = 1024 * 1024;

/**
 * A trace that a report can hold, whatever the target sent: the first and the last entries, and the beginning of large
 * chunks.
 */
export function trimmed(entries: readonly TraceEntry[]): TraceEntry[] {
  const cut = entries.map(cutEntry);
  const first = fitting(cut);
  const last = fitting(cut.slice(first.length).reverse());
  return [...first, ...last.reverse()];
}

/** The entries from the first on that half a report can hold. */
function fitting(entries: readonly TraceEntry[]): TraceEntry[] {
  let bytes = 0;
  const end = entries.findIndex((entry, index) => {
    bytes += sizeOf(entry);
    return index >= MAX_ENTRIES / 2 || bytes > MAX_HALF_BYTES;
  });
  return entries.slice(0, end < 0 ? entries.length : end);
}

function cutEntry(entry: TraceEntry): TraceEntry {
  if (entry.kind === "bytes" && entry.bytes.length > MAX_BYTES)
    return { ...entry, bytes: entry.bytes.slice(0, MAX_BYTES) };
  if (entry.kind === "stderr" && entry.text.length > MAX_BYTES)
    return { ...entry, text: `${entry.text.slice(0, MAX_BYTES)}…` };
  return entry;
}
