// The packages of this workspace, read from pnpm-workspace.yaml and their package.json files.
import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { getPackages } from "@manypkg/get-packages";

export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");
export const fromRoot = (path) => relative(root, path).split(sep).join("/");

/** Whether a package is the project's own: in its scope, or its command line. Any other is material of an example. */
const isOwn = ({ packageJson: { name } }) => name === "editwire" || name.startsWith("@editwire/");

/** Every package of the project with its folder, manifest and entry points. */
export async function workspacePackages() {
  const { packages } = await getPackages(root);
  return packages
    .filter(isOwn)
    .map(({ dir, packageJson }) => ({
      name: packageJson.name,
      dir,
      path: fromRoot(dir),
      manifest: packageJson,
      isPublic: packageJson.private !== true,
      entries: entriesOf(dir, packageJson),
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

export async function publicPackages() {
  return (await workspacePackages()).filter(({ isPublic }) => isPublic);
}

/** Entry points as { id: what a user imports, subpath, source: its TypeScript file, absent for data files }. */
function entriesOf(dir, { name, exports = {} }) {
  return Object.entries(typeof exports === "string" ? { ".": exports } : exports)
    .filter(([subpath]) => subpath !== "./package.json")
    .map(([subpath, target]) => ({
      id: name + subpath.slice(1),
      subpath,
      source: sourceOf(dir, target),
    }));
}

function sourceOf(dir, target) {
  const path = typeof target === "string" ? target : target["@editwire/source"];
  return path !== undefined && path.endsWith(".ts") ? join(dir, path) : undefined;
}

/**
 * Code for Node only: `./node`, what starts MCP servers, the tools that work on files, the command line, and everything
 * outside `packages`.
 */
export function isNodeEntry({ path }, { subpath }) {
  return (
    !path.startsWith("packages/") ||
    ["packages/ide-tools", "packages/editwire"].includes(path) ||
    ["./node", "./mcp"].includes(subpath)
  );
}

/** The code files below a package's folder, such as `src`; generated and fixture data are not code. */
export function codeFiles(dir, folder) {
  return readdirSync(dir, { withFileTypes: true }).some((entry) => entry.isDirectory() && entry.name === folder)
    ? readdirSync(join(dir, folder), { recursive: true })
        .filter((name) => /\.[cm]?[jt]s$/.test(name) && !/(^|[\\/])(node_modules|dist)[\\/]/.test(name))
        .map((name) => join(dir, folder, name))
        .sort()
    : [];
}

/** Prints findings, one a line, and sets the exit code. */
export function report(check, findings, summary) {
  for (const finding of findings) console.error(finding);
  console.log(findings.length === 0 ? `${check}: ${summary}` : `${check}: ${findings.length} problem(s)`);
  if (findings.length > 0) process.exitCode = 1;
}
