import type { Workspace } from "@editwire/example-coding-agent";

const maxLines = 1_000;

interface Branch {
  readonly files: string[];
  readonly folders: Map<string, Branch>;
}

/**
 * The files of a folder as an indented tree, without what Git ignores. Of a large one the deepest are left out first.
 */
export async function repoMap(workspace: Workspace, signal: AbortSignal): Promise<string> {
  const paths = await workspace.list(".", signal);
  const root: Branch = { files: [], folders: new Map() };
  for (const path of paths) add(root, path.split("/"));
  let depth = Math.max(1, ...paths.map((path) => path.split("/").length));
  let lines = linesOf(root, depth);
  while (lines.length > maxLines && depth > 1) lines = linesOf(root, --depth);
  const more = lines.length > maxLines ? [`… and ${lines.length - maxLines} more`] : [];
  return [`${workspace.cwd}/`, ...lines.slice(0, maxLines).map((line) => `  ${line}`), ...more].join("\n");
}

function add({ files, folders }: Branch, [name = "", ...rest]: readonly string[]): void {
  if (rest.length === 0) return void files.push(name);
  let folder = folders.get(name);
  if (folder === undefined) folders.set(name, (folder = { files: [], folders: new Map() }));
  add(folder, rest);
}

function linesOf({ files, folders }: Branch, depth: number): string[] {
  const below = [...folders].flatMap(([name, folder]) =>
    depth === 1
      ? [`${name}/ (${count(folder)} files)`]
      : [`${name}/`, ...linesOf(folder, depth - 1).map((line) => `  ${line}`)],
  );
  return [...below, ...files];
}

function count({ files, folders }: Branch): number {
  return [...folders.values()].reduce((sum, folder) => sum + count(folder), files.length);
}
