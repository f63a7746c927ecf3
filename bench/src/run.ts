import { resolve } from "node:path";
import { buildPrograms } from "./build.js";
import { buildToolsProgram } from "./build-tools.js";
import { canGrow, growthHead, growthRows, sizeOf } from "./growth.js";
import { describeMachine } from "./machine.js";
import { measureImport, measureInProcess } from "./measure.js";
import type { Options } from "./options.js";
import { writeReadme } from "./readme.js";
import { documentOf, textReport, writeDocument } from "./report.js";
import { measureRounds } from "./rounds.js";
import { aligned, digits, type Result } from "./table.js";
import { selectWorkloads } from "./workloads/all.js";
import type { Bench, Workload } from "./workloads/workload.js";

/** Where a run prints: results to `out`, its progress to `note`. */
export interface Console {
  out(text: string): void;
  note(text: string): void;
}

/** Runs the bench and gives what it measured. Timings never make it fail; wrong results do. */
export async function runBench(options: Options, { out, note }: Console): Promise<readonly Result[]> {
  const { scale, rounds, only, slowMegabytes, profile } = options;
  const workloads = selectWorkloads(options.workloads);
  const contendersOf = ({ contenders }: Workload): readonly string[] =>
    contenders.filter((name) => only === undefined || only.includes(name));
  const machine = describeMachine();
  const programs = await buildPrograms();
  const flags = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${resolve(profile)}`];
  const bench: Bench = {
    folder: programs.folder,
    run: (job) => measureInProcess(programs.measured, job, flags),
    runTools: async (job) => measureInProcess(await buildToolsProgram(), job, flags),
    runImport: measureImport,
  };
  try {
    if (options.growth) {
      const rows = [growthHead];
      for (const workload of workloads.filter(canGrow)) {
        note(`${workload.name}: ${workload.title}`);
        rows.push(...(await growthRows(workload, { rounds, scale, contendersOf }, bench)));
      }
      out(`${aligned(rows)}\n`);
      return [];
    }
    const results: Result[] = [];
    for (const workload of workloads) {
      const contenders = contendersOf(workload);
      if (contenders.length === 0) continue;
      note(`${workload.name}: ${workload.title}`);
      const size =
        workload.name.startsWith("slow") && slowMegabytes !== undefined
          ? slowMegabytes * 1_000_000
          : sizeOf(workload, scale);
      const onRound = (contender: string, figures: Readonly<Record<string, number>>): void =>
        note(
          `  ${contender}: ${Object.entries(figures)
            .map(([name, value]) => `${name} ${digits(value)} ${workload.figures[name]?.unit ?? ""}`)
            .join(", ")}`,
        );
      const measured = await measureRounds(
        workload,
        { rounds: Math.min(rounds, workload.maxRounds ?? rounds), size, contenders, onRound },
        bench,
      );
      results.push({ workload, size, measured });
    }
    out(textReport(machine, results, rounds));
    note(`written to ${await writeDocument(documentOf(machine, results), options.json)}`);
    if (options.writeReadme) await writeReadme(machine, results, rounds);
    return results;
  } finally {
    await programs.remove();
  }
}
