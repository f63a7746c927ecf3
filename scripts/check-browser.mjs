// Bundles every entry point: those for browsers must do without Node's modules, and each has a ceiling for its size.
// `--update` sets the ceilings to the present sizes plus a tenth.
import { readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { isNodeEntry, publicPackages, report, root } from "./lib/workspace.mjs";

const ceilingsFile = `${root}/scripts/sizes.json`;
const update = process.argv.includes("--update");
const findings = [];
const sizes = {};

for (const pkg of await publicPackages()) {
  for (const entry of pkg.entries.filter(({ source }) => source)) {
    const bytes = await bundledSize(pkg, entry);
    if (bytes !== undefined) sizes[entry.id] = bytes;
  }
}

/** The size of a program that imports one function of a schema package: its bundle leaves out the schemas, and zod. */
const maxSmallImportBytes = 5_000;
/** `validatorOf` checks values, so it needs zod. */
const withZod = ["validatorOf"];
for (const pkg of await publicPackages()) if (pkg.name.endsWith("-schema")) await checkSmallImports(pkg);

if (update) {
  const ceilings = Object.fromEntries(
    Object.entries(sizes).map(([id, bytes]) => [id, Math.ceil((bytes * 1.1) / 100) * 100]),
  );
  writeFileSync(ceilingsFile, `${JSON.stringify(ceilings, null, 2)}\n`);
} else {
  checkCeilings(JSON.parse(readFileSync(ceilingsFile, "utf8")));
}
report(
  "browser",
  findings,
  `${Object.keys(sizes).length} entry points, the largest ${Math.max(...Object.values(sizes))} bytes minified ` +
    "and gzipped",
);

/** Each function of a schema package, and its envelope: a plain object that the binding imports. */
async function checkSmallImports({ name: id, dir: resolveDir }) {
  const bundled = async (contents) => {
    const options = { bundle: true, write: false, minify: true, format: "esm", conditions: ["@editwire/source"] };
    return (await build({ stdin: { contents, resolveDir }, ...options })).outputFiles[0].text;
  };
  const whole = await bundled(`export * from "${id}";`);
  const exported = await import(`data:text/javascript;base64,${Buffer.from(whole).toString("base64")}`);
  for (const [name, value] of Object.entries(exported)) {
    if ((typeof value !== "function" && !name.endsWith("Envelope")) || withZod.includes(name)) continue;
    const bytes = (await bundled(`export { ${name} } from "${id}";`)).length;
    if (bytes > maxSmallImportBytes)
      findings.push(`${id}: an import of ${name} alone costs ${bytes} bytes, over ${maxSmallImportBytes}`);
  }
}

/**
 * Bytes after minifying and gzip, with all dependencies but peers: what the import costs. Undefined if it does not
 * bundle.
 */
async function bundledSize(pkg, entry) {
  const { id, source } = entry;
  const forNode = isNodeEntry(pkg, entry);
  try {
    const { outputFiles, metafile } = await build({
      absWorkingDir: root,
      entryPoints: [source],
      bundle: true,
      write: false,
      minify: true,
      metafile: true,
      format: "esm",
      target: "es2022",
      platform: forNode ? "node" : "browser",
      conditions: ["@editwire/source"],
      external: Object.keys(pkg.manifest.peerDependencies ?? {}),
      logLevel: "silent",
    });
    if (!forNode) requireNoBuiltins(id, metafile);
    return gzipSync(outputFiles[0].contents).length;
  } catch (error) {
    for (const { text, location } of error.errors ?? [{ text: String(error) }]) {
      findings.push(`${id}: ${location ? `${location.file}:${location.line}: ` : ""}${text}`);
    }
    return undefined;
  }
}

function requireNoBuiltins(id, { inputs }) {
  for (const [file, { imports }] of Object.entries(inputs)) {
    for (const { path, external } of imports)
      if (external && isBuiltin(path)) findings.push(`${id}: ${file} imports ${path}, which browsers lack`);
  }
}

function checkCeilings(ceilings) {
  const advice = "after a look at why, run `node scripts/check-browser.mjs --update`";
  for (const [id, bytes] of Object.entries(sizes)) {
    const ceiling = ceilings[id];
    if (ceiling === undefined) findings.push(`${id}: has no size ceiling; ${advice}`);
    else if (bytes > ceiling) findings.push(`${id}: ${bytes} bytes, over its ceiling of ${ceiling}; ${advice}`);
  }
  for (const id of Object.keys(ceilings)) {
    if (!(id in sizes) && findings.length === 0)
      findings.push(`${id}: has a size ceiling and is not an entry point; ${advice}`);
  }
}
