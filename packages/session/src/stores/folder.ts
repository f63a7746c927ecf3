import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { undefinedIfMissing } from "./replace-file.js";
import type { SessionKey } from "./session-store.js";

/** The files of a session. */
export const files = {
  /** A JSON object: `SessionFields` and the session's id. It is replaced as a whole. */
  record: "session.json",
  /** Names the log that may write. */
  writer: "writer",
} as const;

/** A file of entries, one line of JSON for each. The name sorts by the number. */
export function segmentName(number: number): string {
  return `entries-${String(number).padStart(8, "0")}.jsonl`;
}

/** The files of entries among the names in a folder, the oldest first. */
export function segmentsIn(names: readonly string[]): string[] {
  return names.filter((name) => /^entries-\d+\.jsonl$/.test(name)).sort();
}

/** The number of a file of entries. */
export function numberOf(segment: string): number {
  return Number(segment.replace(/\D/g, ""));
}

/** The prefix of a folder that is being made or removed. No session has it. */
const scratch = ".tmp-";

/** The folder of the sessions of a caller, inside of the store's. */
export function callerFolder(root: string, caller: string | undefined): string {
  return join(root, caller === undefined ? "local" : `caller-${hashOf(caller)}`);
}

/**
 * The folder of a session. Its name cannot lead out of the store, whatever the id is: only short ids of lower case
 * letters, digits and hyphens are names by themselves, others are hashed. So ids that differ in case have two folders
 * on every file system.
 */
export function sessionFolder(root: string, { sessionId, caller }: SessionKey): string {
  const name = /^[a-z0-9-]{1,64}$/.test(sessionId) ? `session-${sessionId}` : `hashed-${hashOf(sessionId)}`;
  return join(callerFolder(root, caller), name);
}

/**
 * The folders of the sessions of a caller. Folders that a killed process left half made or half removed are removed.
 */
export async function foldersOf(parent: string): Promise<string[]> {
  const names = await readdir(parent).catch(undefinedIfMissing);
  if (names === undefined) return [];
  const left = names.filter((name) => name.startsWith(scratch));
  await Promise.all(left.map((name) => removeStale(join(parent, name))));
  return names.filter((name) => /^(session|hashed)-/.test(name)).map((name) => join(parent, name));
}

/** Milliseconds after which a file or folder that is being made is one that a killed process left. */
const staleMs = 60_000;

async function removeStale(path: string): Promise<void> {
  const made = Number(path.split("-").at(-1));
  if (!(Date.now() - made < staleMs)) await rm(path, { recursive: true, force: true });
}

function scratchIn(parent: string): string {
  return join(parent, `${scratch}${randomUUID().replaceAll("-", "")}-${Date.now()}`);
}

/** Makes a folder with its files, all at once. Rejects with `EEXIST` or `ENOTEMPTY` when it exists. */
export async function makeFolder(parent: string, folder: string, contents: Record<string, string>): Promise<void> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const made = scratchIn(parent);
  await mkdir(made, { mode: 0o700 });
  try {
    for (const [name, text] of Object.entries(contents))
      await writeFile(join(made, name), text, { mode: 0o600, flush: true });
    await rename(made, folder);
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    throw error;
  }
}

/** Removes a folder, at once for who looks for it. */
export async function removeFolder(parent: string, folder: string): Promise<void> {
  const removed = scratchIn(parent);
  const found = await rename(folder, removed).then(() => true, undefinedIfMissing);
  if (found === true) await rm(removed, { recursive: true, force: true });
}

/** Removes what replacing a file left when the process was killed meanwhile. */
export async function removeLeftovers(folder: string): Promise<void> {
  const known: readonly string[] = Object.values(files);
  for (const name of await readdir(folder)) {
    if (known.includes(name) || segmentsIn([name]).length > 0) continue;
    const found = await stat(join(folder, name)).catch(undefinedIfMissing);
    if (found !== undefined && Date.now() - found.mtimeMs > staleMs) await rm(join(folder, name), { force: true });
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
