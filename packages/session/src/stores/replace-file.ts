import { randomUUID } from "node:crypto";
import { type BigIntStats, constants, linkSync, lstatSync, renameSync, rmSync } from "node:fs";
import { link, lstat, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A file as it was found. Some member of it changes with each write to the file, and with each replacement. */
export type FileStamp = Pick<BigIntStats, "dev" | "ino" | "size" | "mtimeNs" | "ctimeNs">;

/** How a file is replaced. */
export interface ReplaceFileOptions {
  /**
   * The file as it was found: another content is not overwritten. `null`: there was none, and none is overwritten.
   * Default: whatever is there is replaced.
   */
  readonly before?: FileStamp | null | undefined;
  /** The mode of a new file, which the umask cuts. A file that is replaced keeps its mode. Default 0o666. */
  readonly mode?: number | undefined;
  /** Makes the content and the name survive a power failure. Default true. */
  readonly flush?: boolean | undefined;
}

/** Why a file was not replaced. */
export type ReplaceFault = "changed" | "exists" | "not_regular" | "read_only";

/** A file was not replaced, and is as it was. */
export class ReplaceFileError extends Error {
  override readonly name = "ReplaceFileError";
  readonly fault: ReplaceFault;

  constructor(fault: ReplaceFault) {
    super(`the file was not replaced: ${fault}`);
    this.fault = fault;
  }
}

/**
 * Replaces or creates a file in one step: a reader sees the old content or the new one. The content is written to a
 * temporary file beside it, with the mode of the old file from the first byte on. The owner is kept where the system
 * permits. Rejects with a `ReplaceFileError` for a file that is not as it was found, that is not a regular file, or
 * that nobody may write; and with a system error.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { before, mode = 0o666, flush = true }: ReplaceFileOptions = {},
): Promise<void> {
  const there = await lstat(path, { bigint: true }).catch(undefinedIfMissing);
  // A link is not followed. It is replaced itself, unless a file is expected there.
  const found = before === undefined && there?.isSymbolicLink() ? undefined : there;
  checkReplaceable(found, before);
  const draft = join(dirname(path), `.${randomUUID()}.tmp`); // no name is too long for it
  try {
    await writeDraft(draft, content, { found, mode, flush });
    if (before === null) await createAs(draft, path);
    else if (before === undefined) await rename(draft, path);
    else renameUnchanged(draft, path, before);
  } finally {
    await rm(draft, { force: true });
  }
  if (flush) await syncFolder(dirname(path));
}

function checkReplaceable(found: BigIntStats | undefined, before: FileStamp | null | undefined): void {
  if (found !== undefined && !found.isFile()) throw new ReplaceFileError("not_regular");
  if (before === null && found !== undefined) throw new ReplaceFileError("exists");
  if (before && !isSame(found, before)) throw new ReplaceFileError("changed");
  if (found !== undefined && (found.mode & 0o222n) === 0n) throw new ReplaceFileError("read_only");
}

function isSame(found: FileStamp | undefined, before: FileStamp): boolean {
  return found !== undefined && isSameContent(found, before) && found.ctimeNs === before.ctimeNs;
}

/** Compares all that stays the same when a file gets or loses a name. */
function isSameContent(found: FileStamp, before: FileStamp): boolean {
  const members = ["dev", "ino", "size", "mtimeNs"] as const;
  return members.every((member) => found[member] === before[member]);
}

interface Draft {
  readonly found: BigIntStats | undefined;
  readonly mode: number;
  readonly flush: boolean;
}

async function writeDraft(path: string, content: string | Uint8Array, { found, mode, flush }: Draft): Promise<void> {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const wanted = found === undefined ? mode : Number(found.mode & 0o777n);
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, wanted);
  try {
    await file.writeFile(content);
    if (found !== undefined) {
      await file.chown(Number(found.uid), Number(found.gid)).catch(() => {}); // a user may not give files away
      await file.chmod(wanted); // the umask has cut it
    }
    if (flush) await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Gives a draft the name of a file that is still as it was found, in blocking calls, which leave other writers
 * microseconds. The old file keeps a second name meanwhile: if somebody wrote to it after the check, it gets its name
 * back.
 */
function renameUnchanged(draft: string, path: string, before: FileStamp): void {
  const aside = `${draft.slice(0, -".tmp".length)}.old.tmp`;
  try {
    checkReplaceable(statOf(path), before);
    linkIfPossible(path, aside);
    renameSync(draft, path);
    const old = statOf(aside);
    if (old === undefined || isSameContent(old, before)) return;
    renameSync(aside, path);
    throw new ReplaceFileError("changed");
  } finally {
    rmSync(aside, { force: true });
  }
}

function statOf(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

function linkIfPossible(path: string, name: string): void {
  try {
    linkSync(path, name);
  } catch {
    // Not every file system has links, nor may everybody link the files of others.
  }
}

/** Gives a draft its name, unless the name is taken, also at this moment. */
async function createAs(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path).catch(async (error: unknown) => {
      if (codeOf(error) === "EEXIST") throw error;
      // A file system without links: reserving the name keeps others from creating the file.
      await (await open(path, "wx")).close();
      await rename(draft, path);
    });
  } catch (error) {
    throw codeOf(error) === "EEXIST" ? new ReplaceFileError("exists") : error;
  }
}

/** Makes the names in a folder survive a power failure, where the system can do that. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** For `catch`: a file that does not exist is `undefined`. */
export function undefinedIfMissing(error: unknown): undefined {
  const code = codeOf(error);
  if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
