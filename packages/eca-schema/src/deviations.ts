import type { Deviation } from "@editwire/core";
import { keptIn2025, keptInBoth, keptInCurrent } from "./deviations-kept.js";
import { outputContent, repairs } from "./deviations-repaired.js";
import { currentWords, keptWords, seedWords } from "./deviations-words.js";

/** What is forgiven to a peer that should speak the dialect of 2025-08. */
export const august2025Deviations: readonly Deviation[] = [
  ...repairs,
  ...keptInBoth,
  ...keptIn2025,
  ...keptWords(seedWords),
];

/** What is forgiven to a peer that should speak today's dialect. */
export const currentDeviations: readonly Deviation[] = [
  ...repairs,
  ...outputContent,
  ...keptInBoth,
  ...keptInCurrent,
  ...keptWords(currentWords),
];
