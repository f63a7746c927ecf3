import { UsageError } from "../core/errors.js";
import type { Mutant } from "../core/mutant.js";
import { profileOf } from "../core/find.js";
import { casesIn } from "../core/profile.js";
import type { ConformanceProtocol } from "../core/protocol.js";
import type { RunReport } from "../core/report.js";
import { runConformance } from "../core/run.js";
import { globs, isAbout } from "../core/select.js";
import { judgeMutant, type MutantResult } from "./judge-mutant.js";
import { openReference, openReferenceWithModel, type OpenReference, referenceOf } from "./references.js";

/** Which mutants to run, and how. */
export interface MutantOptions {
  readonly protocol: ConformanceProtocol;
  readonly role: string;
  /** Patterns on mutant ids; default: all of the role. */
  readonly filter?: readonly string[] | undefined;
  /** How a peer is reached; `undefined` is the reference as it should be. Default: in memory, and over HTTP where that is what is broken. */
  readonly open?: ((mutant: Mutant | undefined, http: boolean) => Promise<OpenReference>) | undefined;
  /** Mutants at the same time. Default 16: most of the time they wait. */
  readonly jobs?: number | undefined;
  /** Stretches the deadlines of what is broken. Default 0.25, since a reference in memory answers at once. */
  readonly timeScale?: number | undefined;
  readonly onResult?: ((result: MutantResult) => void) | undefined;
}

/** Which mutant was killed by which checks. */
export interface KillMatrix {
  readonly protocol: string;
  readonly role: string;
  /** The reference without a fault, in every setting that is used: it has to pass everything. */
  readonly controls: readonly RunReport[];
  readonly mutants: readonly MutantResult[];
  /** Requirements that a mutant violated and a check of them noticed. */
  readonly proven: readonly string[];
  /** Requirements of the role that are judged, and that no mutant has proven. */
  readonly unproven: readonly string[];
  /** The controls passed, and every mutant fared as it should. */
  readonly ok: boolean;
}

/** Where a peer is judged: in memory, over HTTP, or in memory with a language model behind it. */
type Setting = "memory" | "http" | "model";

const BENIGN_JOBS = 2;
/** In memory a message that should not come is there at once; a model is asked over a socket. */
const quietScales: Readonly<Record<Setting, number>> = { memory: 0.1, http: 0.1, model: 1 };

/** Runs the reference and every mutant of it against the suite. Throws a `UsageError` when there is nothing to run. */
export async function runMutants(options: MutantOptions): Promise<KillMatrix> {
  const { protocol, role, filter = [], jobs = 16, timeScale = 0.25, onResult = () => {} } = options;
  const reference = referenceOf(protocol, role);
  const selected = protocol.mutants.filter(
    ({ id, role: of }) => of === role && (filter.length === 0 || filter.some((pattern) => globs(pattern, id))),
  );
  if (selected.length === 0) throw new UsageError(`no ${role} mutant of ${protocol.name} is selected`);

  const open = async (mutant: Mutant | undefined, setting: Setting): Promise<OpenReference> => {
    if (setting === "model") return openReferenceWithModel(protocol, role, mutant);
    return options.open === undefined
      ? openReference(protocol, role, mutant, setting === "http")
      : options.open(mutant, setting === "http");
  };
  const judge = async (mutant: Mutant | undefined, setting: Setting, cases?: readonly string[]): Promise<RunReport> => {
    const { target, behaviors = "commands", close } = await open(mutant, setting);
    const filter = cases ?? (mutant && casesFor(mutant, protocol, target.transport));
    try {
      // Sockets have to be waited for like anyone's, and in a peer that is right nothing is waited for in vain.
      const patient = setting === "http" || mutant === undefined || mutant.violates.length === 0;
      const scale = patient ? Math.max(1, timeScale) : timeScale;
      const profile = mutant?.profile;
      return await runConformance({
        protocol,
        role,
        target,
        behaviors,
        profile,
        seed: 1,
        timeScale: scale,
        quietScale: quietScales[setting],
        startMs: 5_000,
        filter,
        jobs: 8,
      });
    } finally {
      await close();
    }
  };

  const overHttp = reference.http === undefined ? [] : selected.filter((one) => settingOf(one) === "http");
  const withModel = selected.filter((one) => settingOf(one) === "model");
  const controls = [
    await judge(undefined, "memory"),
    ...(overHttp.length > 0 ? [await judge(undefined, "http")] : []),
    // The model changes nothing about the rest.
    ...(withModel.length > 0
      ? [
          await judge(
            undefined,
            "model",
            withModel.flatMap((one) => casesFor(one, protocol, "memory")),
          ),
        ]
      : []),
  ];
  const sound = controls.every(({ outcome }) => outcome === "conformant");
  const results = new Map<string, MutantResult>();
  /** Benign variants in a profile of their own are its controls. */
  const inProfiles: RunReport[] = [];
  const work = async (queue: Mutant[]): Promise<void> => {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const report = await judge(mutant, settingOf(mutant));
      const result = judgeMutant(mutant, report);
      if (mutant.profile !== undefined && result.verdict === "benign") inProfiles.push(report);
      results.set(mutant.id, result);
      onResult(result);
    }
  };
  if (sound) {
    const benign = selected.filter(({ violates }) => violates.length === 0);
    const broken = selected.filter(({ violates }) => violates.length > 0);
    // Those that wait longest begin first.
    const queue = [
      ...broken.filter((one) => settingOf(one) === "http"),
      ...broken.filter((one) => settingOf(one) !== "http"),
    ];
    const working = Array.from({ length: jobs }, () => work(queue));
    // Whole suites keep this process busy, so they come when there is little but waiting left, a few at a time.
    await Promise.race(working);
    await Promise.all([...working, ...Array.from({ length: Math.min(jobs, BENIGN_JOBS) }, () => work(benign))]);
  }

  const mutants = selected.flatMap(({ id }) => results.get(id) ?? []);
  const proven = new Set(mutants.flatMap(({ proves }) => proves));
  const judged = [...controls, ...inProfiles].flatMap(({ requirements }) =>
    requirements.filter(({ status }) => status !== "excluded" && status !== "untested").map(({ id }) => id),
  );
  return {
    protocol: protocol.name,
    role,
    controls,
    mutants,
    proven: [...proven].sort(),
    unproven: [...new Set(judged)].filter((id) => !proven.has(id)),
    ok: sound && mutants.every(({ verdict }) => verdict === "killed" || verdict === "benign"),
  };
}

function settingOf({ http, model }: Mutant): Setting {
  return http !== undefined ? "http" : model === true ? "model" : "memory";
}

/** The cases that could notice a mutant, and the smoke cases as a guard against checks that judge too much. */
function casesFor(
  { cases, violates, role, id, profile }: Mutant,
  protocol: ConformanceProtocol,
  transport: string,
): string[] {
  const ofRole = casesIn(protocol.cases, protocol.registry(), profileOf(protocol, profile).name).filter(
    (one) => one.role === role && isAbout(one, transport),
  );
  const wanted =
    cases ?? ofRole.filter(({ emits }) => emits.some((req) => violates.includes(req))).map((one) => one.id);
  for (const pattern of cases ?? []) {
    if (!ofRole.some((one) => globs(pattern, one.id)))
      throw new UsageError(`the mutant ${id} names a case that is not there: ${pattern}`);
  }
  return [...new Set([...wanted, ...ofRole.filter(({ smoke }) => smoke === true).map((one) => one.id)])];
}
