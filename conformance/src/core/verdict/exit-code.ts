/**
 * The outcomes of a run. Each one takes precedence over those after it. `passed` means that nothing unexpected was
 * found, but that the run does not show conformance: cases were left out, a check was blocked, or a failure is in the
 * baseline.
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

/** The outcome of a run. */
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

/** True for an outcome without unexpected findings. */
export function isGood(outcome: Outcome): boolean {
  return exitCodeOf(outcome) === 0;
}

/** The outcome that takes precedence when several apply. */
export function gravest(list: Iterable<Outcome>): Outcome {
  const found = new Set(list);
  return outcomes.find((outcome) => found.has(outcome)) ?? "conformant";
}
