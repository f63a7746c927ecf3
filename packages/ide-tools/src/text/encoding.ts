import iconv from "iconv-lite";
import { ToolError } from "../errors.js";

/** A decoded text file. */
export interface TextFile {
  /** Without a byte order mark, with the file's line ends. */
  readonly text: string;
  readonly encoding: string;
  readonly hasMark: boolean;
}

const marks: readonly { readonly encoding: string; readonly bytes: readonly number[] }[] = [
  { encoding: "utf-8", bytes: [0xef, 0xbb, 0xbf] },
  { encoding: "utf-16le", bytes: [0xff, 0xfe] },
  { encoding: "utf-16be", bytes: [0xfe, 0xff] },
];

/**
 * Decodes a file by its byte order mark, as UTF-8, or else in the fallback encoding. Throws a `ToolError` when encoding
 * would not give the same bytes back, because a change would then damage the rest of the file.
 */
export function decodeText(path: string, bytes: Uint8Array, fallback?: string): TextFile {
  const mark = marks.find((each) => each.bytes.every((byte, index) => bytes[index] === byte));
  if (mark === undefined && bytes.includes(0)) throw binary(path);
  const encodings = mark === undefined ? ["utf-8", fallback] : [mark.encoding];
  for (const encoding of encodings) {
    if (encoding === undefined) continue;
    const text = iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), encoding);
    const file = { text, encoding, hasMark: mark !== undefined };
    if (bytesOf(file).equals(bytes)) return file;
  }
  throw new ToolError(`${path} is not text in ${encodings.filter(Boolean).join(" or ")}`, { code: "encoding", path });
}

/**
 * Encodes a text file as it was. Throws a `ToolError` for characters that its encoding does not have, and for a null
 * character, which would make it a binary file.
 */
export function encodeText(path: string, file: TextFile): Uint8Array {
  const bytes = bytesOf(file);
  if (iconv.decode(bytes, file.encoding) !== file.text)
    throw new ToolError(`${path} is in ${file.encoding}, which does not have all characters of the new text`, {
      code: "encoding",
      path,
    });
  if (!file.hasMark && bytes.includes(0)) throw binary(path);
  return bytes;
}

function bytesOf({ text, encoding, hasMark }: TextFile): Buffer {
  return iconv.encode(text, encoding, { addBOM: hasMark });
}

function binary(path: string): ToolError {
  return new ToolError(`${path} is a binary file, or the new text would make it one`, { code: "binary", path });
}
