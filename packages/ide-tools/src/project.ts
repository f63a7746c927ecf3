import { ToolError } from "./errors.js";
import { runJob } from "./jobs/run-job.js";
import type { TextFile } from "./text/encoding.js";
import { relativePathOf } from "./workspace/confine.js";
import type { Workspace } from "./workspace/workspace.js";

/** The folder that the tools work on, and the encoding of its files. */
export interface Project {
  readonly workspace: Workspace;
  /** The encoding of files that have no byte order mark and are not UTF-8. */
  readonly fallbackEncoding?: string | undefined;
}

/** A text file of the project. */
export interface ProjectFile extends TextFile {
  /** From the project's folder, normalized. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Reads a text file. Throws a `ToolError` for one that does not exist or is not text. */
export async function readProjectFile(
  project: Project,
  relativePath: string,
  signal: AbortSignal,
): Promise<ProjectFile> {
  const path = relativePathOf(relativePath);
  const bytes = await project.workspace.readBytes(path);
  if (bytes === undefined) throw missing(relativePath);
  const { fallbackEncoding } = project;
  const file = await runJob("decode", { path, bytes, fallbackEncoding }, { signal, size: bytes.length });
  return { ...file, path, bytes };
}

/** The error for a file that does not exist. */
export function missing(path: string): ToolError {
  return new ToolError(`The file ${path} does not exist`, { code: "not_found", path });
}
