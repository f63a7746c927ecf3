// Checks the changesets without git: the packages they name exist, no unreleased package lacks one, a schema and its
// binding go together.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import getReleasePlan from "@changesets/get-release-plan";
import { publicPackages, report, root } from "./lib/workspace.mjs";

const packages = await publicPackages();
const { fixed } = JSON.parse(readFileSync(join(root, ".changeset/config.json"), "utf8"));
const { changesets } = await getReleasePlan(root);
const named = new Set(changesets.flatMap(({ releases }) => releases.map(({ name }) => name)));
const findings = [];

for (const { name, path, dir } of packages) {
  if (!existsSync(join(dir, "CHANGELOG.md")) && !named.has(name))
    findings.push(`${path}: was never released and no changeset names ${name}`);
  const schema = `${name}-schema`;
  if (
    packages.some((other) => other.name === schema) &&
    !fixed.some((group) => group.includes(name) && group.includes(schema))
  ) {
    findings.push(`.changeset/config.json: ${schema} and ${name} must be a "fixed" pair`);
  }
}
report("changesets", findings, `${changesets.length} waiting, naming ${named.size} packages`);
