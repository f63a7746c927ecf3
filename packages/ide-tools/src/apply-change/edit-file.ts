import { decodeText, type TextFile } from "../text/encoding.js";
import { type EditedText, replacePassage } from "./edit.js";
import type { NoEdit } from "./match.js";

/** A file, and what to replace in it. */
export interface EditRequest {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly fallbackEncoding: string | undefined;
  readonly search: string;
  readonly replacement: string;
}

/** A file, and its new text. */
export interface EditedFile {
  readonly file: TextFile;
  readonly edited: EditedText | NoEdit;
}

/** Decodes a file and replaces a passage of its text. */
export function editFile({ path, bytes, fallbackEncoding, search, replacement }: EditRequest): EditedFile {
  const file = decodeText(path, bytes, fallbackEncoding);
  return { file, edited: replacePassage(file.text, search, replacement) };
}
