/**
 * The verdicts of a check, from best to worst. `not-applicable` does not count, because the target does not claim the
 * feature. `blocked` means that it could not be judged, and `harness-error` that the suite itself failed.
 */
export const verdicts = ["not-applicable", "pass", "info", "warn", "blocked", "fail", "harness-error"] as const;

/** The verdict of a check or of a case. */
export type Verdict = (typeof verdicts)[number];

/** The worst of several verdicts; `undefined` when there is none. */
export function worst(list: Iterable<Verdict>): Verdict | undefined {
  let index = -1;
  for (const verdict of list) index = Math.max(index, verdicts.indexOf(verdict));
  return verdicts[index];
}

/** Counts per verdict. */
export type Totals = Record<Verdict, number>;

/** Counts verdicts; every verdict is a key. */
export function totalsOf(list: Iterable<Verdict>): Totals {
  const totals = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as Totals;
  for (const verdict of list) totals[verdict] += 1;
  return totals;
}
