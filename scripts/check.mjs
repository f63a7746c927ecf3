// Checks what changed since the branch left main: format, lint, types, and every test that reaches a changed file.
// npm run check [-- BASE]: BASE is another commit to compare with.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { inParallel, run } from "./lib/run.mjs";
import { root } from "./lib/workspace.mjs";

const git = async (...args) => {
  const { code, output } = await run("git", args, { cwd: root });
  return code === 0 ? output.split("\n").filter((line) => line !== "") : undefined;
};

/** The newest commit that this branch shares with main: what is on main itself is compared with its origin. */
async function baseOf() {
  const main = (await git("rev-parse", "--verify", "origin/main")) ?? (await git("rev-parse", "--verify", "main"));
  const [base] = (main && (await git("merge-base", "HEAD", main[0]))) ?? [];
  return base ?? "HEAD";
}

const base = process.argv[2] ?? (await baseOf());
const tracked = await git("diff", "--name-only", base);
if (tracked === undefined) {
  process.stderr.write(`check: there is no commit ${base}; type npm run check -- COMMIT\n`);
  process.exit(2);
}
const changed = [...tracked, ...((await git("ls-files", "--others", "--exclude-standard")) ?? [])].filter((path) =>
  existsSync(join(root, path)),
);
if (changed.length === 0) {
  process.stdout.write("check: nothing changed\n");
  process.exit();
}

const bin = (name) => join(root, "node_modules", ".bin", name);
const script = (name, ...args) => [process.execPath, [join(root, "scripts", name), ...args]];
const ofKind = (pattern) => changed.filter((path) => pattern.test(path));
const sources = ofKind(/\.(ts|tsx|mjs)$/);
const steps = [
  ["types", bin("tsc"), ["--noEmit"]],
  ["tests", bin("vitest"), ["run", "--changed", base, "--reporter=agent", "--passWithNoTests"]],
  ["format", bin("biome"), ["format", "--no-errors-on-unmatched", ...ofKind(/\.(ts|tsx|mjs|json|jsonc)$/)]],
  ...(sources.length === 0 ? [] : [["oxlint", bin("oxlint"), ["--format=unix", ...sources]]]),
  ["layers", ...script("check-layers.mjs")],
  ["style", ...script("check-style.mjs")],
  ["words", ...script("check-words.mjs")],
  ["readmes", ...script("sync-readmes.mjs", "--check")],
];

const failed = await inParallel(
  steps.map(([name, command, args]) => async () => {
    const start = performance.now();
    const { code, output } = await run(command, args, { cwd: root, env: { NO_COLOR: "1" } });
    const seconds = ((performance.now() - start) / 1_000).toFixed(1).padStart(6);
    process.stdout.write(`${code === 0 ? "ok  " : "FAIL"} ${seconds} s  ${name}\n`);
    if (code === 0) return [];
    process.stdout.write(`${output.split("\n").slice(-60).join("\n")}\n`);
    return [name];
  }),
);
process.exitCode = failed.length === 0 ? 0 : 1;
