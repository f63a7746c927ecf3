import type { Figures } from "./jobs/job.js";
import type { Bench, Workload } from "./workloads/workload.js";

/** Each contender's figures, one entry a round. */
export type Measured = Readonly<Record<string, readonly Figures[]>>;

/** How often, and who. */
export interface RoundOptions {
  readonly rounds: number;
  readonly size: number;
  readonly contenders: readonly string[];
  onRound?(contender: string, figures: Figures): void;
}

/**
 * Measures a workload in interleaved rounds, A B C A B C, so that other load on the machine affects all contenders
 * alike.
 */
export async function measureRounds(
  workload: Workload,
  { rounds, size, contenders, onRound }: RoundOptions,
  bench: Bench,
): Promise<Measured> {
  const measured: Record<string, Figures[]> = Object.fromEntries(contenders.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const contender of contenders) {
      const figures = await workload.measure(contender, size, bench);
      measured[contender]?.push(figures);
      onRound?.(contender, figures);
    }
  }
  return measured;
}

/** The middle of some numbers, and the whole range. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Sums numbers up. NaN for none. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? NaN;
  const half = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 === 1 ? at(half) : (at(half - 1) + at(half)) / 2;
  return { median, min: at(0), max: at(sorted.length - 1) };
}

/** One figure of one contender over all rounds. */
export function figureOf(measured: Measured, contender: string, figure: string): number[] {
  return (measured[contender] ?? []).flatMap((figures) => figures[figure] ?? []);
}

/** One contender's figure divided by another's, round by round: what slows a whole round down cancels out. */
export function ratios(measured: Measured, contender: string, other: string, figure: string): number[] {
  const others = figureOf(measured, other, figure);
  return figureOf(measured, contender, figure).map((value, round) => value / (others[round] ?? NaN));
}
