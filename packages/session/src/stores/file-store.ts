import { resolve } from "node:path";
import { unheardToStderr } from "../options/listeners.js";
import { checkFunction, checkNumber } from "../options/checks.js";
import { FileSessionLog, type Fsync, type LogParts } from "./file-log.js";
import { syncFolder } from "./replace-file.js";
import { callerFolder, files, foldersOf, makeFolder, removeFolder, removeLeftovers, sessionFolder } from "./folder.js";
import { SessionClock } from "./clock.js";
import { type ListedSession, pageOf } from "./pages.js";
import { readRecord, recordText } from "./record.js";
import type {
  SessionFields,
  SessionKey,
  SessionLog,
  SessionPage,
  SessionQuery,
  SessionStore,
} from "./session-store.js";

/** How sessions are kept in files. */
export interface FileSessionStoreOptions {
  /**
   * When what was written is forced to the disk. The end of the process, however it comes, loses nothing that was
   * added in any of them: this is about a failure of power or of the system.
   * - `turn`: at the end of each turn, and when a session is created or its fields change. The default.
   * - `always`: with all entries that are added.
   * - `never`: when the system does it by itself.
   */
  fsync?: Fsync | undefined;
  /** Sessions of one caller. Beyond them, the least recently updated one is removed. Default 10,000. */
  maxSessions?: number | undefined;
  /** Bytes of the entries of one session. Beyond them, the oldest eighth is dropped. Default 32 MiB. */
  maxBytes?: number | undefined;
  /** Called with what is wrong in the files and was left out. Default: it is written to stderr. */
  onError?: ((error: unknown) => void) | undefined;
}

/**
 * Keeps sessions in a folder, each in a folder of its own: `session.json`, which is replaced as a whole, and
 * `entries-*.jsonl`, to which lines are added. Killing the process at any moment loses no entry whose `append`
 * resolved: a line that was written in part is left out when the file is read. Only the user of the process can read
 * the files. Several processes may share the folder; a session is written by the one that opened it last, and each
 * writer has a file of its own. Throws a `TypeError` for wrong options.
 */
export function fileSessionStore<Entry>(folder: string, options: FileSessionStoreOptions = {}): SessionStore<Entry> {
  const name = "fileSessionStore";
  if (typeof folder !== "string" || folder === "") throw new TypeError(`${name}: expected the path of a folder`);
  checkNumber(name, "maxSessions", options.maxSessions);
  checkNumber(name, "maxBytes", options.maxBytes);
  checkFunction(name, "onError", options.onError);
  return new FileSessionStore<Entry>(resolve(folder), options);
}

const unheard = (error: unknown): void => unheardToStderr(error, "fileSessionStore");

class FileSessionStore<Entry> implements SessionStore<Entry> {
  readonly #root: string;
  readonly #maxSessions: number;
  readonly #parts: LogParts;

  constructor(root: string, options: FileSessionStoreOptions) {
    const { fsync = "turn", maxSessions = 10_000, maxBytes = 32 * 1_048_576, onError = unheard } = options;
    this.#root = root;
    this.#maxSessions = maxSessions;
    this.#parts = { fsync, maxBytes, onError, clock: new SessionClock() };
  }

  async create(key: SessionKey, fields: SessionFields): Promise<SessionLog<Entry>> {
    const parent = callerFolder(this.#root, key.caller);
    const folder = sessionFolder(this.#root, key);
    const { sessionId } = key;
    const text = recordText({ ...fields, sessionId });
    await makeFolder(parent, folder, { [files.record]: text });
    const updatedAt = new Date(await this.#parts.clock.stamp(folder, files.record)).toISOString();
    if (this.#parts.fsync !== "never") await syncFolder(parent);
    await this.#makeRoom(parent, folder);
    return new FileSessionLog<Entry>(folder, { ...fields, sessionId, updatedAt }, this.#parts).take();
  }

  async open(key: SessionKey): Promise<SessionLog<Entry> | undefined> {
    const folder = sessionFolder(this.#root, key);
    const { record } = (await readRecord(folder)) ?? {};
    if (record === undefined || record.sessionId !== key.sessionId) return undefined;
    await removeLeftovers(folder);
    return new FileSessionLog<Entry>(folder, record, this.#parts).take();
  }

  async list(query: SessionQuery): Promise<SessionPage> {
    const found = await this.#records(callerFolder(this.#root, query.caller));
    return pageOf(
      found.map(([, session]) => session),
      query,
    );
  }

  async delete(key: SessionKey): Promise<void> {
    await removeFolder(callerFolder(this.#root, key.caller), sessionFolder(this.#root, key));
  }

  async #records(parent: string): Promise<[folder: string, session: ListedSession][]> {
    const found: [string, ListedSession][] = [];
    const folders = await foldersOf(parent);
    const readNext = async (): Promise<void> => {
      for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
        const session = await this.#recordIn(folder);
        if (session !== undefined) found.push([folder, session]);
      }
    };
    await Promise.all(Array.from({ length: 16 }, readNext));
    return found;
  }

  /** One damaged session does not hide the others. */
  async #recordIn(folder: string): Promise<ListedSession | undefined> {
    try {
      return await readRecord(folder);
    } catch (error) {
      this.#parts.onError(error);
      return undefined;
    }
  }

  async #makeRoom(parent: string, added: string): Promise<void> {
    if ((await foldersOf(parent)).length <= this.#maxSessions) return;
    const found = (await this.#records(parent)).filter(([folder]) => folder !== added);
    const oldestFirst = found.sort(([, a], [, b]) => a.order - b.order);
    const excess = oldestFirst.slice(0, Math.max(0, found.length + 1 - this.#maxSessions));
    for (const [folder] of excess) await removeFolder(parent, folder);
  }
}
