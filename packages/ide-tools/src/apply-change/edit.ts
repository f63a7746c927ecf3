import { countLines, lineEndOf, withNewlines } from "../text/lines.js";
import { type Edit, findEdit, type NoEdit } from "./match.js";

/** A text in which one passage is replaced. */
export interface EditedText {
  /** How the passage was found. */
  readonly match: Edit["match"];
  /** The whole new text. */
  readonly text: string;
  /** The new passage in it, in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** The line in which the passage begins, counted from 1. */
  readonly line: number;
}

/** Replaces a passage, as `editText` of the package does. */
export function replacePassage(text: string, search: string, replacement: string): EditedText | NoEdit {
  const edit = findEdit(withNewlines(text), withNewlines(search), withNewlines(replacement));
  if (!("start" in edit)) return edit;
  const start = offsetOf(text, edit.start);
  const passage = edit.text.replaceAll("\n", lineEndOf(text));
  return {
    match: edit.match,
    text: text.slice(0, start) + passage + text.slice(offsetOf(text, edit.end)),
    start,
    end: start + passage.length,
    line: countLines(`${text.slice(0, start)}.`),
  };
}

/** The offset in a text of an offset in the same text with `\n` as the only line end. */
function offsetOf(text: string, offset: number): number {
  let at = offset; // each line end of two characters before it adds one
  for (let end = text.indexOf("\r\n"); end !== -1 && end < at; end = text.indexOf("\r\n", end + 2)) at++;
  return at;
}
