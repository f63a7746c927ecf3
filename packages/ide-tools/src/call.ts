import type { Deadline } from "./deadline.js";
import type { Language } from "./wording/wording.js";

/** What one call of a tool carries. */
export interface Call extends Deadline {
  readonly language: Language;
  /** Characters of the longest report. */
  readonly maxChars: number;
}
