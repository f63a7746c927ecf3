import { failureTexts } from "../shared/failure-text.js";

/** Bytes that the longest JSON form of one UTF-16 unit takes: `\u0000`. */
const maxBytesPerUnit = 6;

/** A text whose JSON form has at most `maxBytes` bytes: what is too much is cut off at the end, with a note. */
export function fitting(text: string, maxBytes: number): string {
  if (text.length * maxBytesPerUnit + 2 <= maxBytes || prefixOf(text, maxBytes - 2) === text.length) return text;
  const note = failureTexts.cut(text.length);
  const noteBytes = new TextEncoder().encode(JSON.stringify(note)).length;
  return text.slice(0, prefixOf(text, maxBytes - noteBytes)) + note;
}

/** The length of the longest beginning of a text whose JSON form has at most `room` bytes, without its quotes. */
function prefixOf(text: string, room: number): number {
  let bytes = 0;
  for (let at = 0; at < text.length; ) {
    const unit = text.codePointAt(at) as number;
    bytes += bytesOf(unit);
    if (bytes > room) return at;
    at += unit > 0xffff ? 2 : 1;
  }
  return text.length;
}

/** Bytes of one character in JSON text as UTF-8. */
function bytesOf(unit: number): number {
  if (unit < 0x20) return "\b\t\n\f\r".includes(String.fromCharCode(unit)) ? 2 : 6;
  if (unit < 0x80) return unit === 0x22 || unit === 0x5c ? 2 : 1;
  if (unit < 0x800) return 2;
  if (unit > 0xffff) return 4;
  return unit >= 0xd800 && unit <= 0xdfff ? 6 : 3; // half of a pair is escaped
}
