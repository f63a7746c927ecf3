import { randomUUID } from "node:crypto";
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { AcpErrorCode } from "@editwire/acp-schema";
import { ErrorCode, isRemoteError, RemoteError } from "@editwire/core";
import type { AcpFileSystem } from "./client-services.js";

/** How the files of this machine are offered to an agent. */
export interface NodeFileSystemOptions {
  /** Returns the text of a file that is open and not saved; `undefined` reads the disk. `path` has no links. */
  unsaved?: ((path: string) => string | undefined | Promise<string | undefined>) | undefined;
  /** Takes a write to a file that is open, and returns true; false writes the disk. `path` has no links. */
  replace?: ((path: string, content: string) => boolean | Promise<boolean>) | undefined;
  /** Bytes of a file that is read. A larger one is refused. Default 16 MiB. */
  maxBytes?: number | undefined;
}

/**
 * The files of this machine, below the folders of the session. A path that leads out of them, also over a link, is
 * refused with -32602, and a file that does not exist with -32002. A file is written to a temporary one beside it,
 * which then takes its place: readers see the old text or the new one. Missing folders are created.
 */
export function nodeFileSystem(options: NodeFileSystemOptions = {}): Required<AcpFileSystem> {
  const { unsaved, replace, maxBytes = 16 * 1_048_576 } = options;
  return {
    readTextFile: ({ path, line, limit }, { roots }) =>
      named(path, async () => {
        const real = await confined(path, roots);
        const text = (await unsaved?.(real)) ?? (await textOf(real, maxBytes));
        return { content: linesOf(text, line, limit) };
      }),
    writeTextFile: ({ path, content }, { roots }) =>
      named(path, async () => {
        const real = await confined(path, roots);
        if ((await replace?.(real, content)) !== true) await writeWhole(real, content);
      }),
  };
}

/**
 * The path without links, if it is below one of the roots. Its end does not have to exist: a path outside is refused
 * alike whether it exists or not.
 */
async function confined(path: string, roots: readonly string[]): Promise<string> {
  const real = await realPathOf(path);
  const realRoots = await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)));
  const isInside = realRoots.some(
    (root) => root !== undefined && (real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)),
  );
  if (!isInside) throw RemoteError.invalidParams("the path is outside of the session's folders", { path });
  return real;
}

async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    const code = codeOf(error);
    if ((code !== "ENOENT" && code !== "ENOTDIR") || parent === path) throw error;
    return join(await realPathOf(parent), basename(path));
  }
}

async function textOf(path: string, maxBytes: number): Promise<string> {
  const { size } = await checkedFile(path);
  if (size > maxBytes) throw RemoteError.invalidParams("the file is too large", { size, maxBytes });
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (error) {
    if (codeOf(error) !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw error;
    throw RemoteError.invalidParams("the file is not UTF-8 text", {});
  }
}

/** Refuses folders, and pipes and devices, which may never end. */
async function checkedFile(path: string): Promise<{ size: number; mode: number }> {
  const found = await stat(path);
  if (!found.isFile()) throw RemoteError.invalidParams("the path is not a file", {});
  return found;
}

/** Lines `line` to `line + limit - 1`, verbatim, with the ends of their lines. */
function linesOf(text: string, line = 1, limit?: number): string {
  if (line <= 1 && limit === undefined) return text;
  const first = Math.max(line, 1) - 1;
  const lines = text.split(/(?<=\n)/);
  return lines.slice(first, limit === undefined ? undefined : first + limit).join("");
}

async function writeWhole(path: string, content: string): Promise<void> {
  const before = await checkedFile(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  await mkdir(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `.${randomUUID()}.tmp`); // no name is too long for it
  try {
    await writeFile(temporary, content, { flag: "wx", ...(before === undefined ? {} : { mode: before.mode & 0o777 }) });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Runs what works on a path, and gives its failure a code, without texts of the system. */
async function named<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isRemoteError(error)) throw new RemoteError(error.code, error.message, { ...(error.data as object), path });
    const code = codeOf(error);
    if (code === undefined) throw error;
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new RemoteError(AcpErrorCode.ResourceNotFound, "the file does not exist", { path });
    throw new RemoteError(ErrorCode.InternalError, "the file cannot be used", { path, code });
  }
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
