import type { Deviation } from "@editwire/core";
import { keptInSpec, keptInBoth, keptIn2026 } from "./deviations-kept.js";
import { argumentRequired, outputContent, repairs } from "./deviations-repaired.js";
import { words2026, keptWords, specWords } from "./deviations-words.js";

/** The deviations that are read from a peer of `spec`. */
export const specDeviations: readonly Deviation[] = [
  ...argumentRequired,
  ...repairs,
  ...keptInBoth,
  ...keptInSpec,
  ...keptWords(specWords),
];

/** The deviations that are read from a peer of `v2026`. */
export const deviations2026: readonly Deviation[] = [
  ...outputContent,
  ...repairs,
  ...keptInBoth,
  ...keptIn2026,
  ...keptWords(words2026),
];
