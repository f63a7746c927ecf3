/**
 * How a run ended, from the one that outranks all others to the one that is left when nothing else applies. `passed`
 * means that nothing unexpected was found, but that the run does not show conformance: cases were left out, a check was
 * blocked, or a failure is in the baseline.
 */
export const outcomes = [
  "interrupted",
  "harness-error",
  "target-error",
  "usage-error",
  "violated",
  "incomplete",
  "stale-baseline",
  "passed",
  "conformant",
] as const;

/** How a run ended. */
export type Outcome = (typeof outcomes)[number];

const codes: Record<Outcome, number> = {
  conformant: 0,
  passed: 0,
  violated: 1,
  "usage-error": 2,
  incomplete: 3,
  "target-error": 4,
  "stale-baseline": 5,
  "harness-error": 70,
  interrupted: 130,
};

/** The exit code of an outcome: 0, 1, 2, 3, 4, 5, 70 or 130. */
export function exitCodeOf(outcome: Outcome): number {
  return codes[outcome];
}

/** Says whether nothing unexpected was found. */
export function isGood(outcome: Outcome): boolean {
  return exitCodeOf(outcome) === 0;
}

/** The outcome that wins when several apply. */
export function gravest(list: Iterable<Outcome>): Outcome {
  const found = new Set(list);
  return outcomes.find((outcome) => found.has(outcome)) ?? "conformant";
}
