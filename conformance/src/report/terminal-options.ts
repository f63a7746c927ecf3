import type { Lookup } from "../core/verdict/check.js";
import type { Paint } from "./paint.js";

/** How the terminal report is written. */
export interface TerminalOptions {
  /** Finds a requirement's text. */
  readonly lookup: Lookup;
  /** The command that repeats the run; a case filter is added to it. */
  readonly command: string;
  /** Every case that did not pass, and all sums. Default: what decided the outcome, in at most 40 lines. */
  readonly verbose?: boolean | undefined;
  /** Columns of the terminal. Default 80. */
  readonly width?: number | undefined;
  /** Wraps text in a color; default: none. */
  readonly paint?: Paint | undefined;
}
