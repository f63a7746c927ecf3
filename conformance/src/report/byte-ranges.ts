import type { BytesEntry, MessageEntry, TraceEntry } from "../trace/trace.js";

/**
 * Where the bytes of a message lie: the chunks of its sender, by their numbers in the trace, and the range in each
 * chunk.
 */
export interface ByteRange {
  /** The chunk that it begins in. */
  readonly first: number;
  /** Its first byte in that chunk. */
  readonly start: number;
  /** The chunk that it ends in. */
  readonly last: number;
  /** The byte behind it in that chunk. */
  readonly end: number;
}

const LF = 10;
/** How far behind the last message the next one of the suite is looked for; faults put bytes in between. */
const SEARCH = 64 * 1024;
/** How long a header may be to be found. */
const HEAD = 8192;

/**
 * Finds the bytes of the messages of a trace, by the numbers of their entries. Messages that cannot be found are left
 * out.
 */
export function byteRanges(trace: readonly TraceEntry[]): Map<number, ByteRange> {
  const ranges = new Map<number, ByteRange>();
  const from = { target: new Flow(trace, "target"), suite: new Flow(trace, "suite") };
  for (const entry of trace) {
    if (entry.kind === "message" && entry.from === "suite") keep(entry, from.suite, findSent(entry, from.suite));
    else if ((entry.kind === "message" || entry.kind === "malformed") && entry.from === "target") {
      keep(entry, from.target, cutFrame(from.target, entry.kind === "message" ? entry.frame?.framing : undefined));
    }
  }
  return ranges;

  function keep({ seq, from: party }: TraceEntry, flow: Flow, found: readonly [number, number] | undefined): void {
    const range = found && flow.range(...found);
    if (found === undefined || range === undefined || (party === "target" && range.last > seq)) return;
    flow.cursor = found[1];
    ranges.set(seq, range);
  }
}

/** All bytes of one side, joined. */
class Flow {
  cursor = 0;
  readonly bytes: Buffer;
  readonly #chunks: { readonly seq: number; readonly start: number }[] = [];

  constructor(trace: readonly TraceEntry[], party: "suite" | "target") {
    const entries = trace.filter(
      (entry): entry is BytesEntry => entry.kind === "bytes" && entry.from === party && entry.bytes.length > 0,
    );
    let start = 0;
    for (const { seq, bytes } of entries) {
      this.#chunks.push({ seq, start });
      start += bytes.length;
    }
    this.bytes = Buffer.concat(entries.map(({ bytes }) => bytes));
  }

  range(start: number, end: number): ByteRange | undefined {
    const first = this.#chunkAt(start);
    const last = this.#chunkAt(end - 1);
    return first && last && { first: first.seq, start: start - first.start, last: last.seq, end: end - last.start };
  }

  #chunkAt(position: number): { readonly seq: number; readonly start: number } | undefined {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#chunks[middle]?.start ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return this.#chunks[low - 1];
  }
}

/** The suite writes what `JSON.stringify` gives, so its bytes can be looked for. */
function findSent({ message }: MessageEntry, { bytes, cursor }: Flow): [number, number] | undefined {
  const body = Buffer.from(JSON.stringify(message) ?? "", "utf8");
  const found = bytes.subarray(cursor, cursor + body.length + SEARCH).indexOf(body);
  if (found < 0 || body.length === 0) return undefined;
  const start = cursor + found;
  const header =
    /Content-Length: \d+\r\n\r\n$/i.exec(
      bytes.subarray(Math.max(cursor, start - 100), start).toString("latin1"),
    )?.[0] ?? "";
  const end = start + body.length;
  return [start - header.length, bytes[end] === LF ? end + 1 : end];
}

/** The next frame of the target from the cursor on, in either framing or as an event of a stream. */
function cutFrame({ bytes, cursor }: Flow, framing: string | undefined): [number, number] | undefined {
  let start = cursor;
  while (bytes[start] === LF || bytes[start] === 13 || bytes[start] === 32 || bytes[start] === 9) start++;
  if (start >= bytes.length) return undefined;
  if (framing === "sse") return cutEvent(bytes, start);
  const head = bytes.subarray(start, start + HEAD).toString("latin1");
  const header = /^content-length:[^]*?\r?\n\r?\n/i.exec(head)?.[0];
  if (header !== undefined) {
    const size = Number(/content-length:\s*(\d+)/i.exec(header)?.[1] ?? 0);
    return [start, Math.min(bytes.length, start + header.length + size)];
  }
  const lineFeed = bytes.indexOf(LF, start);
  return [start, lineFeed < 0 ? bytes.length : lineFeed + 1];
}

/** The next event of a stream that carries data; comments and other events before it are skipped. */
function cutEvent(bytes: Buffer, from: number): [number, number] | undefined {
  for (let start = from; start < bytes.length; ) {
    const ends = ["\n\n", "\r\n\r\n"]
      .map((blank) => ({ at: bytes.indexOf(blank, start), length: blank.length }))
      .filter(({ at }) => at >= 0);
    const nearest = ends.sort((a, b) => a.at - b.at)[0];
    if (nearest === undefined) return undefined;
    const end = nearest.at + nearest.length;
    if (/^data/m.test(bytes.subarray(start, Math.min(end, start + HEAD)).toString("latin1"))) return [start, end];
    start = end;
  }
  return undefined;
}
