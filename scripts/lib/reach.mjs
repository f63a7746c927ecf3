// The files that a test or a program depends on, found in the text of each: modules, programs that it starts, and
// packages from outside. It finds too much rather than too little, and needs no build.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { transform } from "esbuild";
import { fromRoot, root, workspacePackages } from "./workspace.mjs";

const isCode = (file) => /\.([cm]?[jt]s|tsx)$/.test(file);
/** Paths in quotes: of modules, and of programs that are bundled or started. */
const paths = /["'`]([\w.][^"'`\s$]*\.[a-z]+)["'`]/g;
/** Packages that are imported, or whose files are looked for. */
const names = /(?:\bfrom|\bimport|\bimport\(|\bresolve\()\s*["']([@\w][^"']*)["']/g;
/**
 * Folders that hold no inputs, and files that no test reads: `sizes.json` is what the check of the bundles compares
 * with. Data of tests is that of the package's own tests.
 */
const isOutside = (name) =>
  ["node_modules", "dist", ".cache", "test", "sizes.json"].includes(name) || name.endsWith(".md");

const packages = await workspacePackages();
const entries = new Map(packages.flatMap((pkg) => pkg.entries.map(({ id, source }) => [id, source])));
const inputsOf = new Map();
const dataOf = new Map();
const digests = new Map();

/**
 * Everything that the given files depend on, by name: files of the workspace, with the data files of their packages,
 * and the versions of packages from outside. `leavesOut` says which files do not count.
 */
export function reachOf(files, leavesOut = () => false) {
  const found = new Set();
  const waiting = files.map((file) => join(root, file));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file) || leavesOut(fromRoot(file))) continue;
    found.add(file);
    const { inputs, versions } = readInputs(file);
    for (const version of versions) found.add(version);
    waiting.push(...inputs);
  }
  return [...found].sort();
}

/** A hash of what `reachOf` found, in which comments and line breaks of code do not count. */
export async function hashOf(inputs) {
  const hash = createHash("sha256");
  for (const input of inputs)
    hash.update(existsSync(input) ? `${fromRoot(input)} ${await digestOf(input)}\n` : `${input}\n`);
  return hash.digest("hex").slice(0, 12);
}

async function digestOf(file) {
  const known = digests.get(file);
  if (known !== undefined) return known;
  const bytes = readFileSync(file);
  const loader = extname(file) === ".tsx" ? "tsx" : "ts";
  const content = isCode(file)
    ? (await transform(bytes.toString(), { loader, minifyWhitespace: true, legalComments: "none" })).code
    : bytes;
  const digest = createHash("sha256").update(content).digest("hex");
  digests.set(file, digest);
  return digest;
}

function readInputs(file) {
  const known = inputsOf.get(file);
  if (known !== undefined) return known;
  const home = packageOf(file);
  const isTest = file.startsWith(join(home, "test/"));
  const inputs = new Set([...dataFiles(home), ...(isTest ? dataFiles(join(home, "test")) : [])]);
  const versions = new Set();
  const text = isCode(file) ? readFileSync(file, "utf8") : "";
  for (const [, path] of text.matchAll(paths)) {
    if (path.startsWith(".") || isTest) inputs.add(fileAt(join(dirname(file), path)));
  }
  for (const [, name] of text.matchAll(names)) {
    if (entries.has(name)) inputs.add(entries.get(name));
    else versions.add(versionOf(home, name));
  }
  inputs.delete(undefined);
  versions.delete(undefined);
  const found = { inputs: [...inputs], versions: [...versions] };
  inputsOf.set(file, found);
  return found;
}

/** The file of a path; its TypeScript source where the path names what is compiled from it. */
function fileAt(path) {
  const candidates = [path, path.replace(/\.([cm]?)js$/, ".$1ts"), path.replace(/\.js$/, ".tsx")];
  return candidates.find((one) => statSync(one, { throwIfNoEntry: false })?.isFile());
}

/** The name and version of a package from outside, as a package of the workspace finds it. */
function versionOf(home, path) {
  const name = path.split("/", path.startsWith("@") ? 2 : 1).join("/");
  for (const folder of [home, root]) {
    const manifest = join(folder, "node_modules", name, "package.json");
    if (existsSync(manifest)) return `${name}@${JSON.parse(readFileSync(manifest, "utf8")).version}`;
  }
  return undefined;
}

function packageOf(file) {
  return packages.find(({ dir }) => file.startsWith(`${dir}/`))?.dir ?? join(root, "scripts");
}

/** The files of a folder that are not code: a program reads them by paths that its text does not show. */
function dataFiles(folder) {
  const known = dataOf.get(folder);
  if (known !== undefined) return known;
  const found = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (isOutside(entry.name)) return [];
    if (entry.isDirectory()) return dataFiles(path);
    return entry.isFile() && !isCode(path) ? [path] : [];
  });
  dataOf.set(folder, found);
  return found;
}
