// Emits the declarations of all public packages in one program: those that an entry point reaches, as `.d.ts` for
// import and, where the package has CJS, as `.d.cts` for require.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import ts from "typescript";
import { publicPackages, report, root } from "./lib/workspace.mjs";

const packages = await publicPackages();
const { config } = ts.readConfigFile(`${root}/tsconfig.base.json`, ts.sys.readFile);
const { options } = ts.convertCompilerOptionsFromJson(
  { ...config.compilerOptions, noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: ".", outDir: "." },
  root,
);
const program = ts.createProgram(
  packages.flatMap(({ entries }) => entries.flatMap(({ source }) => source ?? [])),
  options,
);

/** The text of each declaration, by its place in `dist`. */
const declarations = new Map();
const { diagnostics } = program.emit(undefined, keep);
const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
const findings = problems.map((problem) => ts.formatDiagnostic(problem, ts.createCompilerHost(options)).trimEnd());
for (const pkg of packages) writeReached(pkg);
report("declarations", findings, `${packages.length} packages`);

/** The program emits beside the sources; a package's declarations belong into its `dist`. */
function keep(path, text) {
  const owner = packages.find(({ dir }) => path.startsWith(join(dir, "src") + sep));
  if (owner !== undefined) declarations.set(path.replace(join(owner.dir, "src"), join(owner.dir, "dist")), text);
}

function writeReached({ dir, manifest, entries }) {
  const hasRequire = Object.values(manifest.exports).some((target) => target.require !== undefined);
  const places = entries.flatMap(({ source }) => source?.replace(join(dir, "src"), join(dir, "dist")) ?? []);
  const reached = new Set(places.map((place) => place.replace(/\.ts$/, ".d.ts")));
  for (const place of reached) {
    const text = declarations.get(place);
    if (text === undefined) continue; // it has a problem, which is reported below
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
    if (hasRequire) writeFileSync(place.replace(/\.d\.ts$/, ".d.cts"), forRequire(text));
    for (const name of relativeImports(text)) reached.add(resolve(dirname(place), name.replace(/\.js$/, ".d.ts")));
  }
}

function relativeImports(text) {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  return importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith("."));
}

/** The same declarations with relative imports that lead to the `.d.cts` files. */
function forRequire(text) {
  const relative = ts.preProcessFile(text, true, true).importedFiles.filter(({ fileName }) => fileName.startsWith("."));
  const edits = relative
    .map(({ fileName, pos }) => ({ at: text.indexOf(fileName, pos), fileName }))
    .sort((a, b) => b.at - a.at);
  return edits.reduce(
    (twin, { at, fileName }) =>
      twin.slice(0, at) + fileName.replace(/\.js$/, ".cjs") + twin.slice(at + fileName.length),
    text,
  );
}
