import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../core/package-root.js";
import type { MutantResult } from "./judge-mutant.js";

/** What fails or is blocked for mutants beside what they violate: requirements, by the mutant's id. */
export type Elsewhere = Readonly<Record<string, readonly string[]>>;

/** The file that declares it for a role of a protocol. */
export function elsewhereFile(protocol: string, role: string): string {
  return join(packageRoot(), `src/protocols/${protocol}/mutants/elsewhere-${role}.json`);
}

/** What is declared for a role of a protocol; nothing if there is no file. */
export function knownElsewhere(protocol: string, role: string): Elsewhere {
  const file = elsewhereFile(protocol, role);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Elsewhere) : {};
}

/** What a run of every mutant against every case found. */
export function elsewhereOf(mutants: readonly MutantResult[]): Elsewhere {
  return Object.fromEntries(
    mutants.flatMap(({ id, elsewhere }) => (elsewhere.length === 0 ? [] : [[id, elsewhere] as const])),
  );
}

/** What was found and is not declared, one line for each mutant. What is declared need not be found each time. */
export function elsewhereProblems(found: Elsewhere, known: Elsewhere): string[] {
  return Object.entries(found).flatMap(([id, reqs]) => {
    const added = reqs.filter((req) => known[id]?.includes(req) !== true);
    return added.length === 0 ? [] : [`${id}: fails or blocks ${added.join(", ")}, which is not declared`];
  });
}
