// Emits the declarations of all public packages in one program, each as `.d.ts` for import and `.d.cts` for require.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
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

const { diagnostics } = program.emit(undefined, write);
const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
const findings = problems.map((problem) => ts.formatDiagnostic(problem, ts.createCompilerHost(options)).trimEnd());
report("declarations", findings, `${packages.length} packages`);

/** The program emits beside the sources; a package's declarations belong into its `dist`. */
function write(path, text) {
  const owner = packages.find(({ dir }) => path.startsWith(join(dir, "src") + sep));
  if (owner === undefined) return;
  const target = path.replace(join(owner.dir, "src"), join(owner.dir, "dist"));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  writeFileSync(target.replace(/\.d\.ts$/, ".d.cts"), forRequire(text));
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
