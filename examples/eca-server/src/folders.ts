import { isAbsolute, relative, resolve, sep } from "node:path";
import { openWorkspace, pathOfUri, ToolError, type Workspace } from "@editwire/example-coding-agent";

/** The folders that the editor has open. Nothing outside of them is read or written. */
export interface Folders {
  readonly all: readonly Workspace[];
  /**
   * The first: relative paths start there, and programs run there. Absent when the editor has no folder that exists.
   */
  readonly main: Workspace | undefined;
  /** The folder that contains a path. Throws a `ToolError` when there is none. */
  of(path: string): Workspace;
}

/** Opens the folders that exist; `report` is called for the others. */
export async function openFolders(
  folders: readonly { readonly uri: string }[],
  report: (problem: string) => void,
): Promise<Folders> {
  const opened = await Promise.all(folders.map(({ uri }) => open(uri, report)));
  const all = opened.filter((folder) => folder !== undefined);
  const [main] = all;
  return {
    all,
    main,
    of(path) {
      if (main === undefined) throw new ToolError(`${path} is outside of the workspace: no folder is open`);
      if (!isAbsolute(path)) return main;
      return all.find(({ cwd, root }) => holds(cwd, path) || holds(root, path)) ?? main;
    },
  };
}

async function open(uri: string, report: (problem: string) => void): Promise<Workspace | undefined> {
  const path = pathOfUri(uri);
  if (path === undefined) return void report(`The workspace folder ${uri} is no folder of this machine`);
  try {
    return await openWorkspace(resolve(path));
  } catch (error) {
    return void report((error as Error).message);
  }
}

/** By the text of the path; where it really leads is for the workspace to say. */
function holds(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
