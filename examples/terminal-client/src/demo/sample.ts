import { cp, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A copy of the sample project to work on. */
export interface Workspace {
  /** The project as it is in this repository. */
  readonly original: string;
  /** The copy. */
  readonly folder: string;
  /** Deletes the copy. */
  remove(): Promise<void>;
}

/** The name of the folders that a project's sources do not lie in. */
export const derivedFolders: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** Copies the sample project to a new folder among the temporary files. */
export async function copySample(): Promise<Workspace> {
  const original = fileURLToPath(new URL("../../../sample-project", import.meta.url));
  const parent = await realpath(await mkdtemp(join(tmpdir(), "editwire-demo-")));
  const folder = join(parent, basename(original));
  await cp(original, folder, { recursive: true, filter: (path) => !derivedFolders.has(basename(path)) });
  return { original, folder, remove: () => rm(parent, { recursive: true, force: true }) };
}
