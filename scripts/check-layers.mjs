// Checks that imports and manifests point down the layers, in the conformance suite those of its folders, too, that
// every import is declared and published, and that registries can show what each package is for.
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import ts from "typescript";
import { layerOf, mayImport, suiteFault } from "./lib/layers.mjs";
import { codeFiles, fromRoot, report, root, workspacePackages } from "./lib/workspace.mjs";

const packages = await workspacePackages();
const byName = new Map(packages.map((pkg) => [pkg.name, pkg]));
const rootManifest = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
const findings = [];
let imports = 0;

for (const pkg of packages) {
  if (layerOf(pkg) === undefined) findings.push(`${pkg.path}: has no layer; give it one in scripts/lib/layers.mjs`);
  else checkManifest(pkg);
  for (const folder of ["src", "test"]) {
    for (const file of codeFiles(pkg.dir, folder)) checkFile(pkg, file, folder === "test");
  }
}
report("layers", findings, `${imports} imports of ${packages.length} packages point down`);

function checkManifest(pkg) {
  const { manifest, path } = pkg;
  for (const field of ["description", "keywords", "homepage", "bugs"])
    if (!manifest[field]?.length && !manifest[field]?.url) findings.push(`${path}/package.json: has no ${field}`);
  for (const field of ["dependencies", "peerDependencies", "optionalDependencies", "devDependencies"]) {
    for (const [name, range] of Object.entries(manifest[field] ?? {})) {
      const target = byName.get(name);
      if (target === undefined) continue;
      if (!mayImport(pkg, target, field === "devDependencies"))
        findings.push(`${path}/package.json: ${field} may not name ${name}`);
      if (range !== "workspace:^") findings.push(`${path}/package.json: ${name} is "${range}", not "workspace:^"`);
    }
  }
}

function checkFile(pkg, file, inTest) {
  const { importedFiles } = ts.preProcessFile(readFileSync(file, "utf8"));
  for (const { fileName: specifier } of importedFiles) {
    imports += 1;
    const fault = specifier.startsWith(".")
      ? faultOfPath(pkg, file, specifier, inTest)
      : faultOfPackage(pkg, specifier, inTest);
    if (fault) findings.push(`${fromRoot(file)}: "${specifier}" ${fault}`);
  }
}

/**
 * Tests may use the tools of `scripts/testing`, and share the tests of a package below: every peer engine passes the
 * same contract.
 */
function faultOfPath(pkg, file, specifier, inTest) {
  const path = resolve(dirname(file), specifier);
  if (inTest && path.startsWith(join(root, "scripts/testing") + sep)) return undefined;
  const suite = join(root, "conformance/src");
  if (file.startsWith(suite + sep) && path.startsWith(suite + sep)) {
    const [from, to] = [file, path].map((one) => relative(suite, one).split(sep).join("/"));
    return suiteFault(from, to);
  }
  const owner = packages.find(({ dir }) => path.startsWith(`${dir}${sep}`));
  const isSharedTest =
    inTest &&
    path.startsWith(`${owner?.dir}${sep}test${sep}`) &&
    declares(pkg.manifest, owner.name, true) &&
    mayImport(pkg, owner, true);
  return owner === pkg || isSharedTest ? undefined : "reaches into another package; import what that one publishes";
}

function faultOfPackage(pkg, specifier, inTest) {
  if (isBuiltin(specifier) || specifier.startsWith("#")) return undefined;
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  const target = byName.get(name);
  if (target === pkg) return inTest ? undefined : "is the package itself; import the file";
  if (!declares(pkg.manifest, name, inTest || !pkg.isPublic)) return `is not declared in ${pkg.path}/package.json`;
  if (target === undefined) return undefined;
  if (!target.entries.some(({ id }) => id === specifier)) return `is not an entry point of ${name}`;
  return mayImport(pkg, target, inTest) ? undefined : `is not below ${pkg.path}`;
}

/** Packages that only tests and private packages import may be in devDependencies, their own or the workspace's. */
function declares({ dependencies, peerDependencies, devDependencies }, name, inDevelopment) {
  const declared = inDevelopment
    ? { ...dependencies, ...peerDependencies, ...devDependencies, ...rootManifest.devDependencies }
    : { ...dependencies, ...peerDependencies };
  return Object.hasOwn(declared, name);
}
