import type { EditedText } from "./apply-change/edit.js";
import type { NoEdit } from "./apply-change/match.js";
import { runJob } from "./jobs/run-job.js";
import type { Excerpt, ExcerptLimits, LineRange } from "./text/excerpt.js";

/** How a part of the tools is run. */
export interface PartOptions {
  /** Ends the work, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The lines of a range, as far as the text has them and the limits allow. A large text is read in a worker. */
export async function excerptOf(
  text: string,
  range: LineRange,
  { signal = new AbortController().signal, ...limits }: ExcerptLimits & PartOptions,
): Promise<Excerpt> {
  return runJob("excerpt", { text, range, limits }, { signal, size: text.length });
}

/**
 * Replaces the one exact occurrence of a passage, or else the one run of lines that differs from it in whitespace at
 * the beginning and end of lines only; the replacement is then indented as the run is. Line ends of the search do not
 * matter, and those of the text stay. The result says when the text has no place to replace, or several. The time is
 * linear in the lengths of the texts, and large ones are edited in a worker.
 */
export async function editText(
  text: string,
  search: string,
  replacement: string,
  { signal = new AbortController().signal }: PartOptions = {},
): Promise<EditedText | NoEdit> {
  const size = text.length + search.length + replacement.length;
  return runJob("editText", { text, search, replacement }, { signal, size });
}
