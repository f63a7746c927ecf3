import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { benchFolder } from "./build.js";
import type { Goal, Outcome } from "./goals.js";
import { outcomesOf } from "./goals.js";
import { type Machine, machineLine } from "./machine.js";
import { figureOf, spreadOf } from "./rounds.js";
import { aligned, digits, type Result, tableOf } from "./table.js";

/** The whole run as text: the table, then the goals. */
export function textReport(machine: Machine, results: readonly Result[], rounds: number): string {
  const outcomes = results.flatMap(({ workload, measured }) => outcomesOf(workload.name, measured));
  const about =
    `Medians of ${rounds} interleaved round(s), or of one where a round is long, with their range. ` +
    `"59 | 6.4×": the other's median, and how many times better editwire's is.`;
  const parts = [machineLine(machine), "", aligned(tableOf(results, "full")), "", about];
  if (outcomes.length > 0) parts.push("", "Goals", aligned(outcomes.map(outcomeRow)));
  return `${parts.join("\n")}\n`;
}

function outcomeRow({ goal, value, reached }: Outcome): string[] {
  const unit = goal.against === undefined ? "" : "×";
  return [reached ? "  reached" : "  not reached", nameOf(goal), `${boundOf(goal)}${unit}`, `${digits(value)}${unit}`];
}

function nameOf({ workload, figure, contender, against }: Goal): string {
  return `${workload} ${figure}, ${contender}${against === undefined ? "" : ` / ${against}`}`;
}

function boundOf({ atLeast, atMost }: Goal): string {
  return atLeast === undefined ? `≤ ${digits(atMost ?? NaN)}` : `≥ ${digits(atLeast)}`;
}

/** Everything of a run, for programs. */
export function documentOf(machine: Machine, results: readonly Result[]): object {
  return {
    machine,
    results: results.map(({ workload, size, measured }) => ({
      workload: workload.name,
      title: workload.title,
      size,
      figures: workload.figures,
      contenders: Object.fromEntries(
        Object.keys(measured).map((contender) => [
          contender,
          Object.fromEntries(
            Object.keys(workload.figures)
              .map((name) => [name, figureOf(measured, contender, name)] as const)
              .filter(([, values]) => values.length > 0)
              .map(([name, rounds]) => [name, { ...spreadOf(rounds), rounds }]),
          ),
        ]),
      ),
      goals: outcomesOf(workload.name, measured),
    })),
  };
}

/** Writes a document as JSON: to `file`, or to a new file in `bench/results`. Gives the path. */
export async function writeDocument(document: object, file: string | undefined): Promise<string> {
  const stamp = new Date()
    .toISOString()
    .replace(/\.\d+Z$/, "")
    .replaceAll(":", "-");
  const path = resolve(file ?? join(benchFolder, "results", `${stamp}.json`));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(document, null, 2)}\n`);
  return path;
}
