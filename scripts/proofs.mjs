// Chooses the proofs of a run of CI: node scripts/proofs.mjs choose [--turn N…] [--since COMMIT] [--every]
// A slow test or a kill matrix runs in its turn, and if its inputs are others than .ci/proofs.json says. Tests on other
// versions of Node, peers on the SDKs of others and implementations that are not ours run in their turn. Prints what it
// chose, one a line behind its kind, and on stderr why.
// node scripts/proofs.mjs record: writes .ci/proofs.json, which says that all of them pass with the inputs of today.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hashOf, reachOf } from "./lib/reach.mjs";
import { TURNS, turnOf, turnsOf } from "./lib/turns.mjs";
import { codeFiles, fromRoot, root } from "./lib/workspace.mjs";

const recordFile = join(root, ".ci/proofs.json");
const inEach = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(root, folder, name));
const folders = [...inEach("packages"), ...inEach("examples"), join(root, "conformance"), join(root, "bench")];
const tests = folders.flatMap((folder) => codeFiles(folder, "test").map(fromRoot));
const slowTests = tests.filter((file) => file.endsWith(".slow.test.ts"));
const unitTests = tests.filter((file) => /^packages\/.*(?<!\.slow)\.test\.ts$/.test(file));
/** The roles of each protocol, whose kill matrices the gate makes. */
const roles = {
  acp: ["agent", "client"],
  eca: ["server", "client"],
  "helix-zed": ["agent", "host"],
  kaiak: ["server", "client"],
  sman: ["backend", "plugin"],
};
const matrices = Object.entries(roles).flatMap(([protocol, names]) => names.map((role) => `${protocol} ${role}`));
/** The languages of the SDKs of others. That in Rust takes many minutes to compile. */
const sdks = ["python", "go", "rust"];

/** The inputs of a kill matrix: its protocol, the runner and the engine, but not how results are shown. */
function reachOfMatrix(matrix) {
  const [protocol] = matrix.split(" ");
  const own = `conformance/src/protocols/${protocol}/`;
  const leavesOut = (file) =>
    /^conformance\/(src\/((bin|index|adapter)\.ts|cli\/|report\/|protocols\/)|(?!src\/|scripts\/|specs\/))/.test(
      file,
    ) && !file.startsWith(own);
  const runner = ["src/mutants/run-mutants.ts", "src/cli/mutants.ts", "scripts/gate/matrix.ts"];
  return reachOf([`${own}protocol.ts`, ...runner.map((file) => `conformance/${file}`)], leavesOut);
}

const hashes = {};
for (const name of matrices) hashes[name] = await hashOf(reachOfMatrix(name));
for (const name of slowTests) hashes[name] = await hashOf(reachOf([name]));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    turn: { type: "string", multiple: true },
    since: { type: "string" },
    every: { type: "boolean", default: false },
  },
});
if (positionals[0] === "record") writeFileSync(recordFile, `${JSON.stringify(hashes, null, 2)}\n`);
else await choose(values);

async function choose({ turn, since, every }) {
  const { turns, reason } =
    turn === undefined ? await turnsOf(since) : { turns: turn.map(Number), reason: "as the command says" };
  const known = JSON.parse(readFileSync(recordFile, "utf8"));
  const isDue = (name) => every || turns.includes(turnOf(name));
  const isChanged = (name) => known[name] !== hashes[name];
  const say = (line) => process.stderr.write(`choice       ${line}\n`);
  if (every) say("everything");
  else {
    const again = turns.map((one) => ` --turn ${one}`).join("");
    say(`turn ${turns.join(", ")} of 0 to ${TURNS - 1} (${reason}); bash .ci/run${again} repeats it`);
    for (const [what, all] of Object.entries({ "kill matrices": matrices, "slow tests": slowTests })) {
      const changed = all.filter(isChanged).length;
      const due = all.filter((name) => isDue(name) && !isChanged(name)).length;
      say(`${what}: ${changed} of ${all.length} changed, and ${due} in this turn`);
    }
  }
  const chosen = {
    turn: turns,
    matrix: matrices.filter((name) => isDue(name) || isChanged(name)),
    slow: slowTests.filter((name) => isDue(name) || isChanged(name)),
    node: unitTests.filter(isDue),
    sdk: sdks.filter((name) => every || (isDue(name) && name !== "rust")),
  };
  for (const [kind, names] of Object.entries(chosen)) for (const name of names) console.log(`${kind} ${name}`);
}
