import type { Deadline } from "./deadline.js";
import type { Language } from "./wording/wording.js";

/** The deadline and the settings of one call. */
export interface Call extends Deadline {
  readonly language: Language;
  /** Characters of the longest report. */
  readonly maxChars: number;
}
