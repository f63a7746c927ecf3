import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isObject } from "@editwire/core";
import { undefinedIfMissing } from "./replace-file.js";
import { files, segmentsIn } from "./folder.js";
import type { ListedSession } from "./pages.js";
import type { SessionRecord } from "./session-store.js";

/** The text of the file with a session's record. The time is that of the files. */
export function recordText({ sessionId, cwd, title, data }: Omit<SessionRecord, "updatedAt">): string {
  return `${JSON.stringify({ sessionId, cwd, title, data })}\n`;
}

/**
 * Reads the record of the session in a folder. `undefined`: there is no session, or not any more. Rejects with an
 * `Error` for a record that does not fit.
 */
export async function readRecord(folder: string): Promise<ListedSession | undefined> {
  const text = await readFile(join(folder, files.record), "utf8").catch(undefinedIfMissing);
  const names = await readdir(folder).catch(undefinedIfMissing);
  if (text === undefined || names === undefined) return undefined;
  const record: unknown = JSON.parse(text);
  if (!isObject(record) || typeof record["sessionId"] !== "string" || typeof record["cwd"] !== "string")
    throw new Error(`${join(folder, files.record)} is not the record of a session`);
  const { sessionId, cwd, title, data } = record;
  const time = await lastChange(folder, names);
  return {
    record: {
      sessionId,
      cwd,
      ...(typeof title === "string" ? { title } : {}),
      ...(isObject(data) ? { data } : {}),
      updatedAt: new Date(time).toISOString(),
    },
    order: time,
  };
}

async function lastChange(folder: string, names: readonly string[]): Promise<number> {
  const dated = [files.record, ...segmentsIn(names).slice(-1)];
  const found = await Promise.all(dated.map((name) => stat(join(folder, name)).catch(undefinedIfMissing)));
  return Math.max(0, ...found.map((one) => one?.mtimeMs ?? 0));
}
