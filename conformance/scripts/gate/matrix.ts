import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { bundle } from "../../../scripts/testing/bundle.js";
import type { ConformanceProtocol, RunReport } from "../../src/index.js";
import type { KillMatrix } from "../../src/mutants/run-mutants.js";
import { isGood } from "../../src/core/verdict/exit-code.js";
import { profileOf } from "../../src/core/talk/find.js";
import { casesIn } from "../../src/core/registry/profile.js";
import { isAbout } from "../../src/core/run/select.js";
import type { Judgment } from "./judge.js";

/** The output of `mutants --json`. */
interface Matrix extends Omit<KillMatrix, "controls"> {
  readonly controls: readonly (Pick<RunReport, "outcome" | "error" | "totals"> & {
    readonly transport: string;
    readonly failed: readonly string[];
  })[];
}

const LIMIT_MS = 3_600_000;
/** Where small files cost no disk: mutants of plugins work on hundreds of projects. */
const memory = "/dev/shm";
const env = existsSync(memory) ? { ...process.env, TMPDIR: memory } : process.env;
/** Fewer benign variants than this would not show that the checks leave room. */
const BENIGN = 5;
const { bin } = await bundle(import.meta.url, { bin: "../../src/bin.ts" });

/**
 * Runs a kill matrix in a process of its own, since it keeps a core busy. `every` also runs every mutant against every
 * case.
 */
export async function judgeMatrix(protocol: ConformanceProtocol, role: string, every: boolean): Promise<Judgment> {
  const found = await judgeKills(protocol, role);
  if (!every || found.problems.length > 0) return found;
  const { code, output } = await run("mutants", protocol.name, "--role", role, "--every");
  const lines = output.trimEnd().split("\n");
  return { problems: code === 0 ? [] : lines, sum: `${found.sum}; ${lines.at(-1) ?? ""}` };
}

async function judgeKills(protocol: ConformanceProtocol, role: string): Promise<Judgment> {
  const { output } = await run("mutants", protocol.name, "--role", role, "--json");
  const { mutants, controls, proven, unproven } = JSON.parse(output) as Matrix;
  const benign = mutants.filter(({ verdict }) => verdict === "benign").length;
  const unsound = controls.flatMap((control) => controlProblems(control));
  // Mutants run only when the reference itself passes.
  if (unsound.length > 0) return { problems: unsound, sum: "no mutant ran" };
  const problems = [
    ...emptyControls(protocol, role, controls),
    ...mutants
      .filter(({ verdict }) => verdict !== "killed" && verdict !== "benign")
      .map(({ id, verdict, reason, unexpected }) => `${verdict} ${id} ${reason ?? ""} ${unexpected.join(" ")}`),
    ...unproven.map((id) => `no mutant proves that a check of ${id} can fail`),
    ...(benign < BENIGN ? [`only ${benign} benign variants passed`] : []),
  ];
  return {
    problems,
    sum: `${mutants.length - benign} killed, ${benign} benign passed, ${proven.length} requirements proven`,
  };
}

/** A reference that is not broken passes all that it is asked. */
function controlProblems(control: Matrix["controls"][number]): string[] {
  const { outcome, error = "", transport, failed, totals } = control;
  const { checks } = totals;
  const bad = checks.fail + checks.warn + checks.info + checks.blocked + checks["harness-error"];
  if (isGood(outcome) && bad === 0) return [];
  return [`the reference itself is ${outcome} over ${transport}: ${bad} checks did not pass ${error}`, ...failed];
}

/** The control of each transport runs every case that there is for it. */
function emptyControls(protocol: ConformanceProtocol, role: string, controls: Matrix["controls"]): string[] {
  return [...new Set(controls.map(({ transport }) => transport))].flatMap((transport) => {
    const wanted = casesIn(protocol.cases, protocol.registry(), profileOf(protocol, undefined)).filter(
      (one) => one.role === role && isAbout(one, transport),
    ).length;
    // The calibration counts as one.
    const ran = Math.max(
      ...controls
        .filter((one) => one.transport === transport)
        .map(({ totals }) => Object.values(totals.cases).reduce((sum, count) => sum + count, -1)),
    );
    return ran === wanted ? [] : [`the reference was asked ${ran} of ${wanted} cases over ${transport}`];
  });
}

function run(...args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [bin, ...args],
      { env, maxBuffer: 64 * 1024 * 1024, timeout: LIMIT_MS, killSignal: "SIGKILL" },
      (error, stdout, stderr) => {
        // Exit code 1 comes with a matrix that says why.
        if (error !== null && error.code !== 1) reject(new Error(`${args.join(" ")}: ${error.message}\n${stderr}`));
        else resolve({ code: error === null ? 0 : 1, output: stdout });
      },
    );
  });
}
