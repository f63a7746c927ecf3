import type { ByteRange } from "../byte-ranges.js";
import type { BytesDocument, EntryDocument } from "../trace-document.js";

/** A part of a chunk. */
export interface Piece {
  readonly seq: number;
  readonly at: number;
  readonly bytes: Uint8Array;
  /** Bytes of the piece that the report does not have. */
  readonly missing: number;
}

/** The bytes of a message, chunk by chunk. */
export function piecesOf(
  trace: readonly EntryDocument[],
  from: string,
  { first, start, last, end }: ByteRange,
): Piece[] {
  return trace
    .filter(
      (entry): entry is BytesDocument =>
        entry.kind === "bytes" && entry.from === from && entry.seq >= first && entry.seq <= last,
    )
    .map((chunk) => {
      const begin = chunk.seq === first ? start : 0;
      const stop = chunk.seq === last ? end : chunk.size;
      const bytes = bytesOf(chunk).subarray(begin, stop);
      return { seq: chunk.seq, at: chunk.at, bytes, missing: stop - begin - bytes.length };
    });
}

/** All that a report has of a chunk. */
export function bytesOf({ text, base64 }: BytesDocument): Uint8Array {
  return text === undefined
    ? Uint8Array.from(atob(base64 ?? ""), (character) => character.charCodeAt(0))
    : new TextEncoder().encode(text);
}

const WIDTH = 16;

/** Bytes as hex and text; `|` stands before a byte that begins a chunk. */
export function hexDump(pieces: readonly Piece[]): string {
  const borders = new Set<number>();
  let length = 0;
  for (const { bytes } of pieces) {
    if (length > 0) borders.add(length);
    length += bytes.length;
  }
  const all = new Uint8Array(length);
  let offset = 0;
  for (const { bytes } of pieces) {
    all.set(bytes, offset);
    offset += bytes.length;
  }
  const digits = length > 0x10000 ? 6 : 4;
  const lines: string[] = [];
  for (let start = 0; start < length; start += WIDTH) {
    let hex = "";
    let text = "";
    for (let index = start; index < start + WIDTH; index++) {
      const byte = all[index];
      const mark = borders.has(index) ? "|" : " ";
      hex += byte === undefined ? "   " : `${mark}${byte.toString(16).padStart(2, "0")}`;
      if (byte === undefined) continue;
      text += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·";
    }
    lines.push(`${start.toString(16).padStart(digits, "0")} ${hex}  ${text}`);
  }
  return lines.join("\n");
}
