import type { Status } from "../counts.js";
import type { CaseDocument } from "../document.js";
import type { EntryDocument, MessageDocument } from "../trace-document.js";
import { valueText } from "../value-text.js";

/** One row of a case's timeline. */
export interface TimelineRow {
  readonly entry: EntryDocument;
  /** Milliseconds since the case's first entry. */
  readonly at: number;
  /** Milliseconds since the row before, among those that are shown. */
  readonly gap: number;
  /** Checks that this entry decided, and that did not pass. */
  readonly pins: readonly Pin[];
  /** Brackets from requests to their responses that cross this row, by track. */
  readonly tracks: readonly Bracket[];
  /** A request that nobody answered. */
  readonly unanswered: boolean;
  /** Bytes that belong to no message: nothing else shows them. */
  readonly loose: boolean;
  /** Lower case: what the text search looks through. */
  readonly text: string;
}

/** A part of the line from a request to its response. */
export interface Bracket {
  readonly track: number;
  readonly part: "start" | "through" | "end";
  /** Number of the request's entry. */
  readonly request: number;
}

/** A check at the message that decided it. */
export interface Pin {
  readonly check: CaseDocument["checks"][number];
  readonly status: Status;
}

/** Lines beside each other; further ones are not drawn. */
const MAX_TRACKS = 4;
const good: readonly Status[] = ["pass", "info", "not-applicable"];

/** Makes the rows of a case. */
export function timelineOf({ trace = [], checks }: CaseDocument): TimelineRow[] {
  const pins = new Map<number, Pin[]>();
  for (const check of checks) {
    if (check.at === undefined || good.includes(check.verdict)) continue;
    pins.set(check.at, [...(pins.get(check.at) ?? []), { check, status: check.verdict }]);
  }
  const start = trace[0]?.at ?? 0;
  const answered = new Set(
    trace.flatMap((entry) =>
      entry.kind === "message" && entry.reading?.answers !== undefined ? [entry.reading.answers] : [],
    ),
  );
  const covered = chunksOfMessages(trace);
  return joinStderr(trace, covered).map((entry) => ({
    entry,
    at: entry.at - start,
    gap: 0,
    pins: pins.get(entry.seq) ?? [],
    tracks: [],
    unanswered: entry.kind === "message" && entry.reading?.kind === "request" && !answered.has(entry.seq),
    loose: entry.kind === "bytes" && !covered.has(entry.seq),
    text: entry.kind === "bytes" ? "" : `${titleOf(entry)} ${summaryOf(entry)}`.toLowerCase(),
  }));
}

/** Joins the text that a target writes on stderr between two other rows into one row, however it was cut. */
function joinStderr(trace: readonly EntryDocument[], covered: ReadonlySet<number>): EntryDocument[] {
  const joined: EntryDocument[] = [];
  let open: number | undefined;
  for (const entry of trace) {
    const before = open === undefined ? undefined : joined[open];
    if (entry.kind === "stderr" && before?.kind === "stderr") {
      joined[open ?? 0] = { ...before, text: before.text + entry.text };
      continue;
    }
    if (entry.kind === "stderr") open = joined.length;
    else if (entry.kind !== "bytes" || !covered.has(entry.seq)) open = undefined;
    joined.push(entry);
  }
  return joined;
}

/** The chunks that hold a part of a message. */
function chunksOfMessages(trace: readonly EntryDocument[]): Set<number> {
  const chunks = { suite: [] as number[], target: [] as number[], model: [] as number[] };
  for (const entry of trace) if (entry.kind === "bytes") chunks[entry.from].push(entry.seq);
  const covered = new Set<number>();
  for (const entry of trace) {
    if ((entry.kind !== "message" && entry.kind !== "malformed") || entry.bytes === undefined) continue;
    const { first, last } = entry.bytes;
    const list = chunks[entry.from];
    for (let index = list.indexOf(first); index >= 0 && index < list.length && (list[index] ?? 0) <= last; index++)
      covered.add(list[index] ?? 0);
  }
  return covered;
}

/**
 * Adds what depends on the rows that are shown: the lines from requests to responses, and the time since the row
 * before.
 */
export function linked(rows: readonly TimelineRow[]): TimelineRow[] {
  const ends = new Map<number, number>();
  const places = new Map(rows.map(({ entry }, index) => [entry.seq, index]));
  for (const [index, { entry }] of rows.entries()) {
    const request = entry.kind === "message" ? entry.reading?.answers : undefined;
    const place = request === undefined ? undefined : places.get(request);
    if (place !== undefined && !ends.has(place)) ends.set(place, index);
  }
  const open: ({ request: number; end: number } | undefined)[] = [];
  return rows.map((row, index) => {
    const end = ends.get(index);
    let begun: number | undefined;
    if (end !== undefined) {
      const free = Array.from({ length: MAX_TRACKS }, (_, track) => track).find((track) => open[track] === undefined);
      if (free !== undefined) {
        open[free] = { request: row.entry.seq, end };
        begun = free;
      }
    }
    const tracks = open.flatMap((line, track): Bracket[] =>
      line === undefined
        ? []
        : [{ track, request: line.request, part: track === begun ? "start" : line.end === index ? "end" : "through" }],
    );
    for (const [track, line] of open.entries()) if (line?.end === index) open[track] = undefined;
    return { ...row, tracks, gap: row.at - (rows[index - 1]?.at ?? row.at) };
  });
}

/** The name of what an entry is. */
export function titleOf(entry: EntryDocument): string {
  switch (entry.kind) {
    case "bytes":
      return `${entry.size} bytes`;
    case "malformed":
      return "not a message";
    case "stderr":
      return "stderr";
    case "event":
      return entry.name;
    case "message": {
      const { kind, method } = entry.reading ?? {};
      if (kind === "result" || kind === "error")
        return method === undefined ? `${kind} to no request` : `${method} ${kind}`;
      return method ?? (kind === "invalid" ? "invalid message" : "message");
    }
  }
}

const SUMMARY = 240;

/** The entry's content, on one line. */
export function summaryOf(entry: EntryDocument): string {
  switch (entry.kind) {
    case "bytes":
      return (entry.text ?? entry.base64 ?? "").slice(0, SUMMARY);
    case "malformed":
      return `${entry.problem}: ${entry.excerpt.slice(0, SUMMARY)}`;
    case "stderr":
      return entry.text.trimEnd().slice(0, SUMMARY);
    case "event":
      return entry.data === undefined ? "" : valueText(entry.data).slice(0, SUMMARY);
    case "message":
      return bodyText(entry).slice(0, SUMMARY);
  }
}

/**
 * The part of a message that differs from others of its kind, if it is in one of the usual places. Ids, which say the
 * least, come last.
 */
function bodyText({ message, cut }: MessageDocument): string {
  if (cut !== undefined) return cut.text;
  if (typeof message === "object" && message !== null) {
    for (const key of ["params", "result", "error"]) {
      const value = (message as Readonly<Record<string, unknown>>)[key];
      if (value !== undefined) return valueText(idsLast(value));
    }
  }
  return valueText(message);
}

function idsLast(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  const isId = ([key]: [string, unknown]): boolean => /id$/i.test(key);
  return Object.fromEntries([...entries.filter((entry) => !isId(entry)), ...entries.filter(isId)]);
}
