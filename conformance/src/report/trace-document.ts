import { createHash } from "node:crypto";
import { type Classified, type Classify, idKey } from "../core/talk/message.js";
import type { EventEntry, FrameInfo, MalformedEntry, Party, StderrEntry, TraceEntry } from "../trace/trace.js";
import { type ByteRange, byteRanges } from "./byte-ranges.js";
import { isDeep, jsonOf } from "./value-text.js";

/** Characters or bytes of one message or chunk that a report keeps. */
const MAX_BODY = 64 * 1024;

/** The beginning of something that is too large for a report. */
export interface Cut {
  /** Characters of the JSON text, or bytes of the chunk. */
  readonly size: number;
  /** Hex, of the whole as UTF-8. */
  readonly sha256: string;
  readonly text: string;
}

interface EntryBase {
  readonly seq: number;
  readonly at: number;
  readonly from: Party;
}

/** How a message reads in its protocol. */
export interface Reading {
  readonly kind: "request" | "notification" | "result" | "error" | "invalid";
  /** Of a response: the method that it answers. */
  readonly method?: string | undefined;
  /** The id as JSON. */
  readonly id?: string | undefined;
  /** Number of the entry with the request that this answers. */
  readonly answers?: number | undefined;
  readonly problem?: string | undefined;
}

/** A message in a report; `cut` stands in place of one that is too large or nested too deeply. */
export interface MessageDocument extends EntryBase {
  readonly kind: "message";
  readonly message?: unknown;
  readonly cut?: Cut | undefined;
  readonly frame?: FrameInfo | undefined;
  readonly reading?: Reading | undefined;
  readonly bytes?: ByteRange | undefined;
}

/** A chunk in a report: its text where it is UTF-8, else base64; both only the beginning when `sha256` is there. */
export interface BytesDocument extends EntryBase {
  readonly kind: "bytes";
  readonly size: number;
  readonly text?: string | undefined;
  readonly base64?: string | undefined;
  readonly sha256?: string | undefined;
}

/** One entry of a trace in a report. */
export type EntryDocument =
  | MessageDocument
  | BytesDocument
  | (MalformedEntry & { readonly bytes?: ByteRange | undefined })
  | StderrEntry
  | EventEntry;

/** A trace for a report: large bodies cut, messages read by the protocol, and each with where its bytes are. */
export function traceDocument(trace: readonly TraceEntry[], classify: Classify | undefined): EntryDocument[] {
  const ranges = byteRanges(trace);
  const read = classify && reader(classify);
  return trace.map((entry): EntryDocument => {
    const { seq, at, from } = entry;
    const bytes = ranges.get(seq);
    switch (entry.kind) {
      case "bytes":
        return { seq, at, from, kind: "bytes", ...chunkDocument(Buffer.from(entry.bytes)) };
      case "message": {
        const reading = read?.(entry.from, seq, entry.message);
        const { frame } = entry;
        return {
          seq,
          at,
          from,
          kind: "message",
          ...bodyDocument(entry.message),
          ...(frame && { frame }),
          ...(reading && { reading }),
          ...(bytes && { bytes }),
        };
      }
      case "malformed":
        return { ...entry, ...(bytes && { bytes }) };
      case "stderr":
        return { ...entry, text: shortened(entry.text) };
      case "event":
        return isSmall(entry.data) ? entry : { ...entry, data: bodyDocument(entry.data).cut };
    }
  });
}

/** A value of the target for a report, or the beginning of its JSON text. */
export function valueDocument(value: unknown): unknown {
  return isSmall(value) ? value : bodyDocument(value).cut?.text;
}

function isSmall(value: unknown): boolean {
  if (value === undefined) return true;
  const json = jsonOf(value);
  return json !== undefined && json.length <= MAX_BODY && !isDeep(json);
}

function bodyDocument(message: unknown): { message?: unknown; cut?: Cut } {
  const json = jsonOf(message);
  if (json === undefined) return { cut: { size: 0, sha256: "", text: "(nested too deeply to be written)" } };
  if (json.length <= MAX_BODY && !isDeep(json)) return { message };
  return { cut: { size: json.length, sha256: hash(json), text: json.slice(0, MAX_BODY) } };
}

function chunkDocument(bytes: Buffer): Pick<BytesDocument, "size" | "text" | "base64" | "sha256"> {
  const kept = bytes.subarray(0, MAX_BODY);
  const text = kept.toString("utf8");
  return {
    size: bytes.length,
    ...(Buffer.from(text, "utf8").equals(kept) ? { text } : { base64: kept.toString("base64") }),
    ...(kept.length < bytes.length && { sha256: hash(bytes) }),
  };
}

function shortened(text: string): string {
  return text.length > MAX_BODY ? `${text.slice(0, MAX_BODY)}… (${text.length} characters)` : text;
}

function hash(data: string | Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}

/** Reads messages in their order and remembers the requests of both sides. */
function reader(classify: Classify): (from: Party, seq: number, message: unknown) => Reading | undefined {
  const requests = new Map<string, { seq: number; method: string }>();
  return (from, seq, message) => {
    if (from === "model") return undefined;
    const is = classify(message);
    const id = "id" in is ? idKey(is.id) : undefined;
    if (is.kind === "request") requests.set(`${from} ${id}`, { seq, method: is.method });
    const request =
      is.kind === "result" || is.kind === "error"
        ? requests.get(`${from === "target" ? "suite" : "target"} ${id}`)
        : undefined;
    return readingOf(is, id, request);
  };
}

function readingOf(
  is: Classified,
  id: string | undefined,
  request: { seq: number; method: string } | undefined,
): Reading {
  const method = "method" in is ? is.method : request?.method;
  return {
    kind: is.kind,
    ...(method !== undefined && { method }),
    ...(id !== undefined && { id }),
    ...(request !== undefined && { answers: request.seq }),
    ...(is.kind === "invalid" && { problem: is.problem }),
  };
}
