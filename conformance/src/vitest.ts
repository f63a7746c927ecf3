import { describe, test } from "vitest";
import { registerWith } from "./core/register.js";
import type { RunOptions } from "./core/options.js";

/** Makes one vitest test of every case, and one of the outcome; a failing case fails with its part of the terminal report. */
export function registerConformance(options: RunOptions): void {
  registerWith({ describe, test }, options);
}
