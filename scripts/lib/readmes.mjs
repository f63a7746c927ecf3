// The programs of the READMEs in projects that pnpm installs strictly: each has the packages that its README installs,
// and no other package is in reach.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { freePort, readmePrograms } from "./readme-programs.mjs";
import { findingsOf, inParallel, run } from "./run.mjs";
import { root } from "./workspace.mjs";

const strict = { nodeLinker: "isolated", hoist: false, shamefullyHoist: false, autoInstallPeers: false };
const deadlineMs = 60_000;

/** Builds the projects in an empty folder, one for each package with a program, and gives what does not work. */
export async function readmeFindings(packages, folder) {
  const projects = packages.map((pkg) => projectOf(pkg, folder)).filter(({ files }) => files.length > 0);
  const missing = projects.filter(({ runs }) => runs.length === 0);
  if (missing.length > 0)
    return missing.map(({ name }) => `${name}: expected runs of its README in scripts/lib/readme-programs.mjs`);
  writeProjects(projects, packages, folder);
  const install = ["run", "-s", "pnpm", "--", "-C", folder, "install", "--prefer-offline", "--ignore-scripts"];
  const broken = await findingsOf("pnpm install of the READMEs' packages", "npm", install, { cwd: root });
  if (broken.length > 0) return broken;
  const tsc = [join(root, "node_modules/typescript/bin/tsc"), "-p", folder];
  const refused = await findingsOf("README programs, tsc", process.execPath, tsc, { cwd: folder });
  if (refused.length > 0) return refused;
  return inParallel(projects.flatMap(({ name, dir, runs }) => runs.map((one) => () => runOf(name, dir, one))));
}

/** The files that a README shows, and the packages that it installs. */
function projectOf({ name, dir }, folder) {
  const text = readFileSync(join(dir, "README.md"), "utf8");
  const files = [...text.matchAll(/^```ts file=(\S+)$/gm)].map(([, file]) => file);
  const installed = [...text.matchAll(/npm install ((?:--save-dev )?[@\w/.-]+(?: [@\w/.-]+)*)/g)]
    .flatMap(([, words]) => words.split(" "))
    .filter((word) => !word.startsWith("-"));
  const short = basename(dir);
  return { name, source: dir, dir: join(folder, short), files, installed, runs: readmePrograms[short] ?? [] };
}

function writeProjects(projects, packages, folder) {
  const json = (path, value) => writeFileSync(join(folder, path), JSON.stringify(value, null, 2));
  const tarballs = Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`]));
  json("package.json", { private: true });
  json("pnpm-workspace.yaml", { packages: ["*"], ...strict, overrides: tarballs }); // JSON is YAML
  json("tsconfig.json", {
    compilerOptions: {
      target: "es2022",
      module: "nodenext",
      strict: true,
      skipLibCheck: true,
      types: ["node"],
      typeRoots: [typeRoot],
    },
    include: ["*/test/**/*.ts"],
    exclude: ["**/node_modules"],
  });
  for (const { name, source, dir, files, installed } of projects) {
    for (const path of new Set(files.map(dirname))) cpSync(join(source, path), join(dir, path), { recursive: true });
    mkdirSync(dir, { recursive: true });
    const others = installed.filter((other) => !(other in tarballs));
    json(`${basename(dir)}/package.json`, {
      name: `readme-of-${basename(dir)}`,
      private: true,
      type: "module",
      dependencies: {
        ...Object.fromEntries([name, ...installed].filter((one) => one in tarballs).map((one) => [one, tarballs[one]])),
        ...Object.fromEntries(others.map((other) => [other, versionOf(source, other)])),
      },
      devDependencies: Object.fromEntries(
        others
          .map((other) => `@types/${other}`)
          .filter((types) => existsSync(manifestOf(source, types)))
          .map((types) => [types, versionOf(source, types)]),
      ),
    });
  }
}

/** Programs of the READMEs are written for Node. */
const typeRoot = join(root, "node_modules/@types");

function manifestOf(source, name) {
  const own = join(source, "node_modules", name, "package.json");
  return existsSync(own) ? own : join(root, "node_modules", name, "package.json");
}

/** The version that the workspace has, so that the store has it, too. */
const versionOf = (source, name) => JSON.parse(readFileSync(manifestOf(source, name), "utf8")).version;

async function runOf(name, cwd, { serves, args, env, prints }) {
  const port = await freePort();
  const served = typeof serves === "function" ? serves({ port }) : serves;
  const server = served && spawn(process.execPath, served, { cwd, stdio: ["ignore", "pipe", "ignore"] });
  try {
    const url = typeof serves === "function" || server === undefined ? undefined : await urlOf(server);
    const argv = typeof args === "function" ? args({ port, url }) : args;
    const { code, output } = await run(process.execPath, argv, { cwd, env });
    if (code === 0 && output.includes(prints)) return [];
    return [`${name}: ${argv.join(" ")}: expected "${prints}" and exit code 0, got ${code}\n${output}`];
  } catch (error) {
    return [`${name}: ${served.join(" ")}: ${error.message}`];
  } finally {
    server?.kill("SIGKILL");
  }
}

/** The URL in what a server prints, or that of the port in it. */
function urlOf(server) {
  return new Promise((resolve, reject) => {
    let output = "";
    const timer = setTimeout(() => reject(new Error(`expected an address, got "${output}"`)), deadlineMs);
    server.once("exit", (code) => reject(new Error(`exit code ${code}\n${output}`)));
    server.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      const url = /(?:http|ws):\/\/\S+/.exec(output)?.[0];
      const port = /port: (\d+)/.exec(output)?.[1];
      if (url === undefined && port === undefined) return;
      clearTimeout(timer);
      resolve(url ?? `http://127.0.0.1:${port}`);
    });
  });
}
