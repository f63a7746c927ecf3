import { UsageError } from "../core/errors.js";
import { type Mutant, patchOf } from "../core/mutant.js";
import type { ConformanceProtocol, Reference } from "../core/protocol.js";
import type { RunReport } from "../core/report.js";
import { runConformance } from "../core/run.js";
import { globs } from "../core/select.js";
import type { Target } from "../wire/link.js";
import { memoryTarget } from "../wire/memory.js";
import { judgeMutant, type MutantResult } from "./judge-mutant.js";

/** Which mutants to run, and how. */
export interface MutantOptions {
  readonly protocol: ConformanceProtocol;
  readonly role: string;
  /** Patterns on mutant ids; default: all of the role. */
  readonly filter?: readonly string[] | undefined;
  /** How a peer is reached; `undefined` is the reference as it should be. Default: in memory. */
  readonly target?: ((mutant: Mutant | undefined) => Target) | undefined;
  /** Mutants at the same time. Default 4. */
  readonly jobs?: number | undefined;
  /** Stretches deadlines. Default 0.4, since a reference in memory answers at once. */
  readonly timeScale?: number | undefined;
  readonly onResult?: ((result: MutantResult) => void) | undefined;
}

/** Which mutant was killed by which checks. */
export interface KillMatrix {
  readonly protocol: string;
  readonly role: string;
  /** The reference without a fault: it has to pass everything. */
  readonly control: RunReport;
  readonly mutants: readonly MutantResult[];
  /** Requirements that a mutant violated and a check of them noticed. */
  readonly proven: readonly string[];
  /** Requirements of the role that are judged, and that no mutant has proven. */
  readonly unproven: readonly string[];
  /** The control passed, and every mutant fared as it should. */
  readonly ok: boolean;
}

const QUIET_SCALE = 0.1;

/** Runs the reference and every mutant of it against the suite. Throws a `UsageError` when there is nothing to run. */
export async function runMutants(options: MutantOptions): Promise<KillMatrix> {
  const { protocol, role, filter = [], jobs = 4, timeScale = 0.4, onResult = () => {} } = options;
  const reference = referenceOf(protocol, role);
  const target = options.target ?? ((mutant) => memoryTarget((pipe) => reference.serve(mutant && patchOf(mutant))(pipe), mutant?.id ?? "the reference"));
  const selected = protocol.mutants.filter(({ id, role: of }) => of === role && (filter.length === 0 || filter.some((pattern) => globs(pattern, id))));
  if (selected.length === 0) throw new UsageError(`no ${role} mutant of ${protocol.name} is selected`);
  const common = { protocol, role, behaviours: "commands", seed: 1, timeScale, quietScale: QUIET_SCALE, startMs: 5_000 } as const;
  const control = await runConformance({ ...common, target: target(undefined), jobs: 8 });
  const results = new Map<string, MutantResult>();
  const queue = [...selected];
  const work = async (): Promise<void> => {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const report = await runConformance({ ...common, target: target(mutant), filter: casesFor(mutant, protocol), jobs: 4 });
      const result = judgeMutant(mutant, report);
      results.set(mutant.id, result);
      onResult(result);
    }
  };
  if (control.outcome === "conformant") await Promise.all(Array.from({ length: jobs }, work));
  const mutants = selected.flatMap(({ id }) => results.get(id) ?? []);
  const proven = new Set(mutants.flatMap(({ proves }) => proves));
  const judged = control.requirements.filter(({ status }) => status !== "excluded" && status !== "untested").map(({ id }) => id);
  return {
    protocol: protocol.name,
    role,
    control,
    mutants,
    proven: [...proven].sort(),
    unproven: judged.filter((id) => !proven.has(id)),
    ok: control.outcome === "conformant" && mutants.every(({ verdict }) => verdict === "killed" || verdict === "benign"),
  };
}

function referenceOf({ reference, name }: ConformanceProtocol, role: string): Reference {
  const found = Object.hasOwn(reference, role) ? reference[role] : undefined;
  if (found === undefined) throw new UsageError(`there is no reference ${role} of ${name}`);
  return found;
}

/** The cases that could notice a mutant, and the smoke cases as a guard against checks that judge too much. */
function casesFor({ cases, violates, role, id }: Mutant, protocol: ConformanceProtocol): string[] {
  const ofRole = protocol.cases.filter((one) => one.role === role);
  const wanted = cases ?? ofRole.filter(({ emits }) => emits.some((req) => violates.includes(req))).map((one) => one.id);
  for (const pattern of cases ?? []) {
    if (!ofRole.some((one) => globs(pattern, one.id))) throw new UsageError(`the mutant ${id} names a case that is not there: ${pattern}`);
  }
  return [...new Set([...wanted, ...ofRole.filter(({ smoke }) => smoke === true).map((one) => one.id)])];
}
