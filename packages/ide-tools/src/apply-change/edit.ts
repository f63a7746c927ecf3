import { lineEndOf, linesOf, withNewlines } from "../text/lines.js";
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

/**
 * Replaces the one exact occurrence of a passage, or else the one run of lines that differs from it in whitespace at
 * the beginning and end of lines only; the replacement is then indented as the run is. Line ends of the search do not
 * matter, and those of the text stay. The result says when the text has no place to replace, or several.
 */
export function editText(text: string, search: string, replacement: string): EditedText | NoEdit {
  const edit = findEdit(withNewlines(text), withNewlines(search), withNewlines(replacement));
  if (!("start" in edit)) return edit;
  const start = offsetOf(text, edit.start);
  const passage = edit.text.replaceAll("\n", lineEndOf(text));
  return {
    match: edit.match,
    text: text.slice(0, start) + passage + text.slice(offsetOf(text, edit.end)),
    start,
    end: start + passage.length,
    line: linesOf(`${text.slice(0, start)}.`).length,
  };
}

/** The offset in a text of an offset in the same text with `\n` as the only line end. */
function offsetOf(text: string, offset: number): number {
  let at = 0;
  for (let passed = 0; passed < offset; passed++) at += text.startsWith("\r\n", at) ? 2 : 1;
  return at;
}
