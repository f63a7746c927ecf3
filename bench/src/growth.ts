import { figureOf, measureRounds, spreadOf } from "./rounds.js";
import { digits } from "./table.js";
import type { Bench, Workload } from "./workloads/workload.js";

const factors = [1, 4, 16];

/** Which work grows, how far, and for whom. */
export interface GrowthOptions {
  readonly rounds: number;
  readonly scale: number;
  readonly contendersOf: (workload: Workload) => readonly string[];
}

/**
 * A row for each contender of a workload: its first figure at n, 4n and 16n, and the last divided by the first. All
 * figures are rates or a price per unit, so a cost that grows with the work in proportion gives 1.
 */
export async function growthRows(
  workload: Workload,
  { rounds, scale, contendersOf }: GrowthOptions,
  bench: Bench,
): Promise<string[][]> {
  const contenders = contendersOf(workload);
  const [name = "", figure] = Object.entries(workload.figures)[0] ?? [];
  const columns: Record<string, number>[] = [];
  for (const factor of factors) {
    const size = sizeOf(workload, scale) * factor;
    const measured = await measureRounds(workload, { rounds, size, contenders }, bench);
    columns.push(
      Object.fromEntries(
        contenders.map((contender) => [contender, spreadOf(figureOf(measured, contender, name)).median]),
      ),
    );
  }
  return contenders.map((contender) => {
    const values = columns.map((column) => column[contender] ?? NaN);
    const growth = (values.at(-1) ?? NaN) / (values[0] ?? NaN);
    const sizes = values.map((value) => `${digits(value)} ${figure?.unit ?? ""}`);
    return [`${workload.name} ${name}`, contender, `n = ${sizeOf(workload, scale)}`, ...sizes, `×${digits(growth)}`];
  });
}

/** The head of the table of `growthRows`. */
export const growthHead = ["", "", "", "n", "4n", "16n", "16n / n"];

/** Says whether the size of a workload can be varied. */
export function canGrow({ size, grows = true }: Workload): boolean {
  return size !== undefined && grows;
}

/** How much work a workload is at a scale, at least one unit. */
export function sizeOf({ size = 1 }: Workload, scale: number): number {
  return Math.max(1, Math.round(size * scale));
}
