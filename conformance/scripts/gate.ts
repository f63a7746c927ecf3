// The requirements of CI on the suite: the registries are complete, every broken reference fails the right check, our
// own peers pass on every transport, and other peers get exactly the results in their baselines. Prints one line for
// each step. Words select the steps that have one in their name. `--turn N` judges our own peers once, the other peers
// that have the turn, and the kill matrices that `--matrix` names, such as "acp agent". `--every` runs every mutant
// against every case.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { turnOf } from "../../scripts/lib/turns.mjs";
import { clausesWithoutMutants, gapProblems, knownGaps } from "../src/core/registry/clauses.js";
import { protocols } from "../src/index.js";
import { registryProblems } from "../src/core/registry/check.js";
import { acpTargets } from "./gate/acp.js";
import { ecaTargets } from "./gate/eca.js";
import { helixZedTargets } from "./gate/helix-zed.js";
import { kaiakTargets } from "./gate/kaiak.js";
import { smanTargets } from "./gate/sman.js";
import { judge, type Judgment } from "./gate/judge.js";
import { judgeMatrix } from "./gate/matrix.js";

interface Step {
  readonly name: string;
  readonly skip?: string | undefined;
  run(): Promise<Judgment>;
}

/**
 * Three steps run at a time, which keep two cores busy. Two lanes start at the front, where steps mostly wait, and the
 * other at the back, where they mostly compute.
 */
type Lane = (queue: Step[]) => Step | undefined;
const front: Lane = (queue) => queue.shift();
const back: Lane = (queue) => queue.pop();
const lanes: readonly Lane[] = [front, back, front];

const registrySteps: Step[] = protocols.map((protocol) => ({
  name: `${protocol.name}: registry`,
  run() {
    const registry = protocol.registry();
    const found = clausesWithoutMutants(registry, protocol);
    const problems = [...registryProblems(registry, protocol), ...gapProblems(found, knownGaps(protocol.name))];
    return Promise.resolve({
      problems,
      sum:
        `${registry.statements.length} statements, ${registry.requirements.length} requirements, ` +
        `${found.length} clauses without a mutant`,
    });
  },
}));

const { positionals: words, values } = parseArgs({
  allowPositionals: true,
  options: {
    turn: { type: "string", multiple: true },
    matrix: { type: "string", multiple: true, default: [] },
    every: { type: "boolean", default: false },
  },
});
const { turn: turns, matrix: matrices, every } = values;
const hasTurn = (name: string): boolean => turns === undefined || turns.includes(String(turnOf(name)));

const mutantSteps: Step[] = protocols.flatMap((protocol) =>
  Object.keys(protocol.reference)
    .filter((role) => turns === undefined || matrices.includes(`${protocol.name} ${role}`))
    .map((role) => ({
      name: `${protocol.name}: mutants of the ${role}`,
      run: () => judgeMatrix(protocol, role, every),
    })),
);

const home = mkdtempSync(join(tmpdir(), "conformance-home-"));
const targets = [
  ...(await acpTargets(home)),
  ...(await ecaTargets(home)),
  ...(await helixZedTargets()),
  ...(await kaiakTargets(home)),
  ...(await smanTargets()),
];
const targetSteps: Step[] = targets
  .filter(({ name }) => name.startsWith("our ") || hasTurn(name))
  .map((judged) => ({
    name: `${judged.protocol.name}: ${judged.name}`,
    skip: judged.skip,
    run: () => judge(turns === undefined ? judged : { ...judged, runs: 1 }),
  }));
const steps = [...registrySteps, ...mutantSteps, ...targetSteps].filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
const counts = { passed: 0, failed: 0, skipped: 0 };
/** Printed once more at the end, behind what the targets of other steps wrote on stderr. */
const failures: string[] = [];

async function take({ name, skip, run: perform }: Step): Promise<void> {
  if (skip !== undefined) {
    counts.skipped += 1;
    return void console.log(`skip         ${name}: ${skip}`);
  }
  const start = performance.now();
  let found: Judgment;
  try {
    found = await perform();
  } catch (error) {
    found = { problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)], sum: "" };
  }
  const { problems, sum } = found;
  counts[problems.length === 0 ? "passed" : "failed"] += 1;
  const took = `${Math.round((performance.now() - start) / 1000)}s`.padStart(5);
  if (problems.length === 0) return void console.log(`ok   ${took}  ${name}: ${sum}`);
  const failure = [`FAIL ${took}  ${name}: ${sum}`, ...problems.map((problem) => `      | ${problem}`)].join("\n");
  failures.push(failure);
  console.log(failure);
}

try {
  const queue = [...steps];
  const work = async (next: Lane): Promise<void> => {
    for (let step = next(queue); step !== undefined; step = next(queue)) await take(step);
  };
  await Promise.all(lanes.map(work));
} finally {
  rmSync(home, { recursive: true, force: true });
}
if (failures.length > 0) console.log(["\nWhat failed:", ...failures].join("\n"));
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
