import { UsageError } from "../core/errors.js";
import { profileOf } from "../core/talk/find.js";
import type { Mutant, Patch } from "../core/mutant.js";
import { casesIn } from "../core/registry/profile.js";
import type { ConformanceProtocol } from "../core/protocol.js";
import type { RunReport } from "../core/verdict/report.js";
import { runConformance } from "../core/run/run.js";
import { bases } from "../core/registry/requirement.js";
import { globs, isAbout } from "../core/run/select.js";
import { openReference, openReferenceWithModel, referenceOf, type Remote } from "./references.js";
import { type OpenReference } from "./ws-references.js";
import { watchMutant } from "./watch-mutant.js";
import type { MutantResult } from "./mutant-result.js";

/** Where a peer is judged: in memory, over HTTP or a WebSocket, or in memory with a language model behind it. */
export type Setting = "memory" | "http" | "ws" | "model";

/** A run against the reference. */
export interface ReferenceRun {
  readonly report: RunReport;
  /** Whether the run came to what the mutant changes; true for a mutant in another process, which nobody watches. */
  readonly applied: boolean;
}

/** How a reference is run. */
export interface ReferenceRunOptions {
  /** Default: see `casesFor`. */
  readonly cases?: readonly string[] | undefined;
  /** Uses no deadlines that are shorter than usual. */
  readonly patient?: boolean | undefined;
}

/** Runs the suite against the reference, with the fault of a mutant or without one. */
export type RunReference = (
  mutant: Mutant | undefined,
  setting: Setting,
  options?: ReferenceRunOptions,
) => Promise<ReferenceRun>;

/** Whether a mutant needs the usual deadlines: sockets do, and no wait for a correct peer is in vain. */
export function isPatient(mutant: Mutant | undefined, setting: Setting): boolean {
  return setting === "http" || setting === "ws" || mutant === undefined || mutant.violates.length === 0;
}

/** In memory an unwanted message arrives at once; a model is asked over a socket. */
const quietScales: Readonly<Record<Setting, number>> = { memory: 0.1, http: 0.1, ws: 0.1, model: 1 };

/** The setting that a mutant needs. */
export function settingOf({ http, webSocket, model }: Mutant): Setting {
  return webSocket !== undefined ? "ws" : http !== undefined ? "http" : model === true ? "model" : "memory";
}

/** Makes the function that runs the suite against the references of one role. */
export function referenceRunner(options: MutantOptions): RunReference {
  const { protocol, role, timeScale = 0.25 } = options;
  return async (mutant, setting, { cases, patient = isPatient(mutant, setting) } = {}) => {
    const watched = mutant && options.open === undefined ? watchMutant(mutant, rightIn(options, mutant)) : undefined;
    const { target, behaviors = "commands", close } = await open(options, watched?.mutant ?? mutant, setting);
    try {
      const report = await runConformance({
        protocol,
        role,
        target,
        behaviors,
        profile: mutant?.profile,
        seed: 1,
        timeScale: patient ? Math.max(1, timeScale) : timeScale,
        quietScale: quietScales[setting],
        startMs: patient ? 5_000 : 1_250,
        filter: cases ?? (mutant && options.every !== true ? casesFor(mutant, protocol, target.transport) : undefined),
        jobs: 8,
        basis: bases,
      });
      return { report, applied: watched?.applied() ?? true };
    } finally {
      await close();
    }
  };
}

/** The decisions of the reference in the profile of a mutant. */
function rightIn({ protocol, role }: MutantOptions, { profile = "" }: Mutant): Patch {
  const { behavior, profiles } = referenceOf(protocol, role);
  return { ...behavior, ...profiles?.[profile] };
}

async function open(options: MutantOptions, mutant: Mutant | undefined, setting: Setting): Promise<OpenReference> {
  const { protocol, role } = options;
  if (setting === "model") return openReferenceWithModel(protocol, role, mutant);
  const remote = setting === "memory" ? undefined : setting;
  return options.open === undefined ? openReference(protocol, role, mutant, remote) : options.open(mutant, remote);
}

/** The cases that can detect a mutant, and the smoke cases, which find checks that judge too much. */
export function casesFor(
  { cases, violates, role, id, profile }: Mutant,
  protocol: ConformanceProtocol,
  transport: string,
): string[] {
  const ofRole = casesIn(protocol.cases, protocol.registry(), profileOf(protocol, profile)).filter(
    (one) => one.role === role && isAbout(one, transport),
  );
  for (const pattern of cases ?? []) {
    if (!ofRole.some((one) => globs(pattern, one.id)))
      throw new UsageError(`the mutant ${id} names a case that does not exist: ${pattern}`);
  }
  const wanted =
    cases ?? ofRole.filter(({ emits }) => emits.some((req) => violates.includes(req))).map((one) => one.id);
  return [...new Set([...wanted, ...ofRole.filter(({ smoke }) => smoke === true).map((one) => one.id)])];
}

/** Which mutants to run, and how. */
export interface MutantOptions {
  readonly protocol: ConformanceProtocol;
  readonly role: string;
  /** Patterns on mutant ids; default: all of the role. */
  readonly filter?: readonly string[] | undefined;
  /**
   * Opens a peer; `undefined` asks for the reference without a fault. Default: in memory, and over HTTP for a mutant
   * whose fault is in HTTP.
   */
  readonly open?: ((mutant: Mutant | undefined, over: Remote | undefined) => Promise<OpenReference>) | undefined;
  /**
   * Runs every mutant against every case instead of those that judge what it violates: what else fails, or is blocked,
   * is `elsewhere`. Default false.
   */
  readonly every?: boolean | undefined;
  /** Mutants that run at the same time. Default 16: they mostly wait. With `every` 6. */
  readonly jobs?: number | undefined;
  /** Factor on the deadlines of mutants. Default 0.25, because a reference in memory answers at once. */
  readonly timeScale?: number | undefined;
  readonly onResult?: ((result: MutantResult) => void) | undefined;
}
