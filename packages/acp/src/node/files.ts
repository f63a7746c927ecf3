import { createReadStream } from "node:fs";
import { mkdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { AcpErrorCode, type AcpParams } from "@editwire/acp-schema";
import { ErrorCode, isRemoteError, RemoteError } from "@editwire/core";
import { replaceFile, ReplaceFileError } from "@editwire/session/node";
import type { AcpFileSystem } from "../client/services.js";

/** How the files of this machine are offered to an agent. */
export interface NodeFileSystemOptions {
  /** Returns the text of a file that is open and not saved; `undefined` reads the disk. `path` has no links. */
  unsaved?: ((path: string) => string | undefined | Promise<string | undefined>) | undefined;
  /** Takes a write to a file that is open, and returns true; false writes the disk. `path` has no links. */
  replace?: ((path: string, content: string) => boolean | Promise<boolean>) | undefined;
  /** Bytes of what is read: the whole file, or the lines that were asked for. More is refused. Default 16 MiB. */
  maxBytes?: number | undefined;
}

/**
 * The files of this machine, below the folders of the session. A path that leads out of them, also over a link, is
 * refused with -32602, and a file that does not exist with -32002. Text is read and written verbatim, with its byte
 * order mark and the ends of its lines. A file is written to a temporary one beside it, which then takes its place, its
 * mode and, where the system permits, its owner: readers see the old text or the new one, also after a power failure.
 * Missing folders are created, and a file that nobody may write is refused with -32602. Requests for one path take
 * effect in their order.
 */
export function nodeFileSystem(options: NodeFileSystemOptions = {}): Required<AcpFileSystem> {
  const { unsaved, replace, maxBytes = 16 * 1_048_576 } = options;
  const inOrder = orderByPath();
  return {
    readTextFile: ({ path, ...lines }, { roots }) =>
      inOrder(path, async () => {
        const real = await confined(path, roots);
        const text = await unsaved?.(real);
        const chunks = text === undefined ? await chunksOf(real) : [Buffer.from(text)];
        return { content: await textIn(chunks, lines, maxBytes) };
      }),
    writeTextFile: ({ path, content }, { roots }) =>
      inOrder(path, async () => {
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
  const missing: string[] = [];
  for (let existing = path; ; existing = dirname(existing)) {
    try {
      return join(await realpath(existing), ...missing);
    } catch (error) {
      const code = codeOf(error);
      if ((code !== "ENOENT" && code !== "ENOTDIR") || dirname(existing) === existing) throw error;
    }
    missing.unshift(basename(existing));
  }
}

/** Runs what works on a path after what was asked of the same path before. */
function orderByPath(): <T>(path: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<void>>();
  return (path, work) => {
    const result = (last.get(path) ?? Promise.resolve()).then(() => named(path, work));
    const forget = (): void => {
      if (last.get(path) === ended) last.delete(path);
    };
    const ended = result.then(forget, forget);
    last.set(path, ended);
    return result;
  };
}

const notAFile = "the path is not a file";

/** Refuses folders, and pipes and devices, which may never end. */
async function chunksOf(path: string): Promise<AsyncIterable<Buffer>> {
  if (!(await stat(path)).isFile()) throw RemoteError.invalidParams(notAFile, {});
  return createReadStream(path);
}

/** Lines `line` to `line + limit - 1`, verbatim, with the ends of their lines. The rest of the file is not read. */
async function textIn(
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  { line: asked = 1, limit = Infinity }: Pick<AcpParams<"fs/read_text_file">, "line" | "limit">,
  maxBytes: number,
): Promise<string> {
  const first = Math.max(asked, 1);
  const taken: Buffer[] = [];
  let bytes = 0;
  let line = 1; // that of the next byte
  for await (const chunk of chunks) {
    let from = line < first ? chunk.length : 0;
    let to = line < first + limit ? chunk.length : 0;
    for (let at = chunk.indexOf("\n"); at >= 0 && line < first + limit; at = chunk.indexOf("\n", at + 1)) {
      line += 1;
      if (line === first) from = at + 1;
      if (line === first + limit) to = at + 1;
    }
    taken.push(chunk.subarray(from, to));
    bytes += to - from;
    if (bytes > maxBytes) throw RemoteError.invalidParams("the text is too large", { maxBytes });
    if (line >= first + limit) break;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(taken));
  } catch {
    throw RemoteError.invalidParams("the file is not UTF-8 text", {});
  }
}

async function writeWhole(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await replaceFile(path, content);
  } catch (error) {
    if (!(error instanceof ReplaceFileError)) throw error;
    throw RemoteError.invalidParams(error.fault === "read_only" ? "the file is read-only" : notAFile, {});
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
