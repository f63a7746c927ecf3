// Checks the house style where oxlint has no rule for it: sizes on the whole, forms of import and export, documented
// exports.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { columnFindings } from "./lib/style-columns.mjs";
import { exportFindings, exportsOfAll } from "./lib/style-exports.mjs";
import { profileFindings } from "./lib/style-profiles.mjs";
import { proseFindings } from "./lib/style-prose.mjs";
import { readlineFindings } from "./lib/style-readline.mjs";
import { syntaxFindings } from "./lib/style-syntax.mjs";
import { vocabularyFindings } from "./lib/style-vocabulary.mjs";
import { codeFiles, fromRoot, report, root, workspacePackages } from "./lib/workspace.mjs";

const budget = { median: 120, p90: 250 };

const packages = await workspacePackages();
const files = packages.flatMap(({ dir }) => codeFiles(dir, "src"));
const lengths = files.map((file) => readFileSync(file, "utf8").split("\n").length - 1).sort((a, b) => a - b);
const quantile = (share) => lengths[Math.min(lengths.length - 1, Math.floor(lengths.length * share))] ?? 0;
const sizes = { median: quantile(0.5), p90: quantile(0.9) };

const tracked = (...patterns) =>
  execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...patterns], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((file) => file !== "" && existsSync(join(root, file)))
    .map((file) => join(root, file));

/** A changeset's text becomes one line of a changelog, and specifications are quoted as they are. */
const isProse = (file) => !/[\\/](\.changeset|specs|fixtures)[\\/]/.test(file);

const exported = exportsOfAll(packages.filter(({ isPublic }) => isPublic));
const findings = [
  ...tracked("*.ts", "*.js", "*.mjs", "*.cjs", "*.css", "*.sh", "*.py", ".ci/run").flatMap(columnFindings),
  ...tracked("*.ts", "*.js", "*.mjs", "*.cjs").flatMap(readlineFindings),
  ...tracked("*.md").filter(isProse).flatMap(proseFindings),
  ...files.flatMap(syntaxFindings),
  ...files.filter((file) => /^(packages|examples)\//.test(fromRoot(file))).flatMap(profileFindings),
  ...exportFindings(exported),
  ...vocabularyFindings(packages, exported),
  ...Object.keys(budget)
    .filter((key) => sizes[key] > budget[key])
    .map((key) => `the ${key} of source files is ${sizes[key]} lines, over ${budget[key]}`),
];
const lines = `median ${sizes.median} lines, p90 ${sizes.p90}`;
report("style", findings, `${files.length} source files, ${lines}; ${exported.length} exports`);
