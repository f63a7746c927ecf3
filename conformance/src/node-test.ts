import { describe, test } from "node:test";
import { registerWith } from "./core/register.js";
import type { RunOptions } from "./core/options.js";

/** Makes one node:test test of every case, and one of the outcome; a failing case fails with its part of the terminal report. */
export function registerConformance(options: RunOptions): void {
  registerWith({ describe: (name, body) => void describe(name, body), test: (name, body) => void test(name, body) }, options);
}
