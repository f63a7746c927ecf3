// A project that installs the tarballs as a user would: it type-checks against them and runs, in ESM and in CJS.
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { findingsOf, inParallel } from "./run.mjs";
import { isNodeEntry, root } from "./workspace.mjs";

const programs = join(root, "scripts/consumer");
/** A program that must not compile. */
const mistakes = join(root, "packages/agent/test/fixtures/mistakes.ts");
const compilations = [
  ["typescript", "node"],
  ["typescript-5.4", "node"],
  ["typescript", "bundler"],
  ["typescript-5.4", "bundler"],
  ["typescript", "browser"],
];

/**
 * Compiled as modules only: the packages without CJS, and an entry point with declarations of the official MCP SDK,
 * which compile as CommonJS from TypeScript 5.8 on only.
 */
const isModuleOnly = ({ id, subpath, pkg }) =>
  id === "@editwire/ide-tools/mcp" || pkg.manifest.exports[subpath].require === undefined;

/**
 * Targets of the installed command: its own references, so that every file which a run reads is in the tarball. The
 * last one is judged through an installed bridge.
 */
const judged = [
  ["acp", "agent", "acp.agent.initialize.*"],
  ["acp", "client", "acp.client.permission.*"],
  ["eca", "server", "eca.server.turn.order"],
  ["helix-zed", "agent", "helix-zed.agent.turn.text"],
  ["acp", "agent", "acp.agent.initialize.*", ["editwire", "bridge", "--from", "acp", "--to", "acp", "--"]],
];

/** Builds the project in an empty folder and gives the findings of every compiler and every program. */
export async function consumerFindings(packages, folder) {
  const names = writeSources(packages, folder);
  const install = ["install", "--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts", "--loglevel=error"];
  const broken = await findingsOf("npm install of the tarballs", "npm", install, { cwd: folder });
  if (broken.length > 0) return broken;

  const compiled = await inParallel(compilations.map((row) => () => compile(row, folder)));
  const scripts = names.flatMap((name) => [`node/${name}.mjs`, `node/${name}.cjs`]);
  const commands = packages
    .flatMap(({ manifest }) => Object.keys(manifest.bin ?? {}))
    .map((name) => join("node_modules/.bin", name));
  const ran = await inParallel([
    ...scripts.map((file) => () => findingsOf(`consumer, ${file}`, process.execPath, [file], { cwd: folder })),
    ...commands.map(
      (file) => () => findingsOf(`${basename(file)} --help`, join(folder, file), ["--help"], { cwd: folder }),
    ),
    ...judged.map((row) => () => judge(row, folder)),
  ]);
  return [...compiled, ...ran];
}

function judge([protocol, role, filter, [bridge, ...bridged] = []], folder) {
  const bin = (name) => join(folder, "node_modules/.bin", name);
  const command = bin("editwire-conformance");
  const steer = role === "client" ? ["--steer"] : [];
  const args = [
    "run",
    protocol,
    "--role",
    role,
    "--behaviors",
    "commands",
    "--filter",
    filter,
    ...steer,
    "--",
    ...(bridge === undefined ? [] : [bin(bridge), ...bridged]),
    command,
    "reference",
    protocol,
    "--role",
    role,
  ];
  return findingsOf(`editwire-conformance ${args.join(" ")}`, command, args, { cwd: folder });
}

function compile([compiler, project], folder) {
  const tsc = [join("node_modules", compiler, "bin/tsc"), "-p", project];
  return findingsOf(`consumer, ${compiler}, ${project}`, process.execPath, tsc, { cwd: folder });
}

/** Writes every program twice, as `.mts` and as `.cts`, and gives the programs' names. */
function writeSources(packages, folder) {
  const json = (path, value) => writeFileSync(join(folder, path), JSON.stringify(value, null, 2));
  const all = packages.flatMap((pkg) => pkg.entries.filter(({ source }) => source).map((entry) => ({ ...entry, pkg })));
  const adapters = all.filter(isAdapter);
  const entries = all.filter((entry) => !isAdapter(entry));
  const names = packages.map(({ dir }) => basename(dir)).filter((name) => existsSync(join(programs, `${name}.ts`)));
  for (const project of ["node", "bundler", "browser"]) mkdirSync(join(folder, project));

  json("package.json", {
    private: true,
    dependencies: Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`])),
    devDependencies: {
      "@types/node": "^20.19.0",
      typescript: "5.9.3",
      "typescript-5.4": "npm:typescript@5.4.5",
      // The declarations of adapters need the types of what they adapt.
      prettier: "^3.0.0",
      "vscode-jsonrpc": "^10.0.0",
    },
  });
  json("node/tsconfig.json", project({ module: "nodenext" }, ["*.mts", "*.cts"]));
  json(
    "bundler/tsconfig.json",
    project({ module: "esnext", moduleResolution: "bundler", noEmit: true }, ["../node/*.mts"]),
  );
  json(
    "browser/tsconfig.json",
    project({ module: "esnext", moduleResolution: "bundler", noEmit: true, types: [] }, ["*.ts"]),
  );
  writeFileSync(
    join(folder, "browser/entries.ts"),
    importsOf(entries.filter((entry) => !isNodeEntry(entry.pkg, entry))),
  );
  for (const extension of [".mts", ".cts"]) {
    const compiled = extension === ".mts" ? entries : entries.filter((entry) => !isModuleOnly(entry));
    writeFileSync(join(folder, `node/entries${extension}`), importsOf(compiled));
    writeFileSync(join(folder, `node/adapters${extension}`), importsOf(adapters)); // compiled only
    copyFileSync(mistakes, join(folder, `node/mistakes${extension}`)); // compiled only
    for (const name of names) copyFileSync(join(programs, `${name}.ts`), join(folder, `node/${name}${extension}`));
  }
  return ["entries", ...names];
}

/** `./vitest` needs the optional peer `vitest`. */
const isAdapter = ({ pkg, subpath }) => subpath.slice(2) in (pkg.manifest.peerDependenciesMeta ?? {});

const project = (options, include) => ({
  compilerOptions: { target: "es2022", strict: true, skipLibCheck: false, types: ["node"], ...options },
  include,
});

/** A program that imports every entry point and fails when one exports nothing. */
function importsOf(entries) {
  const fields = entries.map(({ id }, index) => `"${id}": entry${index}`);
  return [
    ...entries.map(({ id }, index) => `import * as entry${index} from "${id}";`),
    `const entries: Record<string, object> = { ${fields.join(", ")} };`,
    "for (const [id, entry] of Object.entries(entries))",
    "  if (Object.keys(entry).length === 0) throw new Error(`${id} exports nothing`);",
    "",
  ].join("\n");
}
