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

/** One small import of each schema package. Its bundle must leave out the schemas that it does not need, and zod. */
const smallImports = {
  "@editwire/acp-schema": "isSessionNotFound",
  "@editwire/eca-schema": "isServerNotInitialized",
  "@editwire/helix-zed-schema": "helixZedEnvelope",
  "@editwire/kaiak-schema": "isSessionInUse",
  "@editwire/sman-schema": "smanEnvelope",
};
const maxSmallImportBytes = 5_000;
for (const [id, name] of Object.entries(smallImports)) await checkSmallImport(id, name);

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

async function checkSmallImport(id, name) {
  const { outputFiles } = await build({
    stdin: { contents: `export { ${name} } from "${id}";`, resolveDir: `${root}/packages/${id.split("/")[1]}` },
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    conditions: ["@editwire/source"],
  });
  const bytes = outputFiles[0].contents.length;
  if (bytes > maxSmallImportBytes)
    findings.push(`${id}: an import of ${name} alone costs ${bytes} bytes, over ${maxSmallImportBytes}`);
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
