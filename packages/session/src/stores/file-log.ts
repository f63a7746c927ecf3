import { randomUUID } from "node:crypto";
import { open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { WireError } from "@editwire/core/errors";
import { logClosed } from "./memory-store.js";
import { replaceFile, syncFolder, undefinedIfMissing } from "./replace-file.js";
import { files, numberOf, segmentName, segmentsIn } from "./folder.js";
import type { SessionClock } from "./clock.js";
import { recordText } from "./record.js";
import type { SessionFields, SessionLog, SessionRecord } from "./session-store.js";

/** When what was written is forced to the disk. */
export type Fsync = "turn" | "always" | "never";

/** The parts that the logs of a store share. */
export interface LogParts {
  readonly fsync: Fsync;
  readonly maxBytes: number;
  readonly onError: (error: unknown) => void;
  readonly clock: SessionClock;
}

/** A file of entries. Only the log that made it writes to it, so that no two writers share a line. */
interface Segment {
  readonly name: string;
  bytes: number;
}

/** Files that the entries of a full session are spread over, so that the oldest can be dropped. */
const segmentsOfLimit = 8;

/** The log of a session in a folder. */
export class FileSessionLog<Entry> implements SessionLog<Entry> {
  record: SessionRecord;
  readonly #folder: string;
  readonly #parts: LogParts;
  readonly #writer = randomUUID();
  #last: Promise<unknown> = Promise.resolve();
  /** The files of entries, the oldest first; read before the first write. */
  #segments: Segment[] | undefined;
  /** The file that this log writes to. */
  #current: Segment | undefined;
  /** The files that were written to since the last flush. */
  readonly #unflushed = new Set<string>();

  constructor(folder: string, record: SessionRecord, parts: LogParts) {
    this.#folder = folder;
    this.record = record;
    this.#parts = parts;
  }

  /** Becomes the writer of the session. */
  async take(): Promise<this> {
    await replaceFile(join(this.#folder, files.writer), this.#writer, { mode: 0o600, flush: false });
    return this;
  }

  append(entries: readonly Entry[]): Promise<void> {
    const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    return this.#next(() => this.#append(text));
  }

  change(fields: Partial<SessionFields>): Promise<void> {
    return this.#next(async () => {
      const record = { ...this.record, ...fields };
      const flush = this.#parts.fsync !== "never";
      await replaceFile(join(this.#folder, files.record), recordText(record), { mode: 0o600, flush });
      this.record = { ...record, updatedAt: await this.#stamp(files.record) };
    });
  }

  flush(): Promise<void> {
    return this.#next(async () => {
      if (this.#parts.fsync === "never" || this.#unflushed.size === 0) return;
      for (const name of this.#unflushed) await syncFile(join(this.#folder, name));
      await syncFolder(this.#folder);
      this.#unflushed.clear();
    });
  }

  entries(): Promise<readonly Entry[]> {
    return this.#next(async () => {
      const entries: Entry[] = [];
      for (const name of segmentsIn(await readdir(this.#folder))) {
        const text = await readFile(join(this.#folder, name), "utf8");
        for (const line of text.split("\n")) if (line !== "") entries.push(...this.#entryOf(name, line));
      }
      return entries;
    });
  }

  /** Runs one operation after the others, if this log is still the writer. */
  #next<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.#last.then(async () => {
      const writer = await readFile(join(this.#folder, files.writer), "utf8").catch(undefinedIfMissing);
      if (writer !== this.#writer) throw logClosed(this.record.sessionId);
      return operation();
    });
    this.#last = result.catch(() => {});
    return result;
  }

  async #append(text: string): Promise<void> {
    const { maxBytes, fsync } = this.#parts;
    const bytes = Buffer.byteLength(text);
    if (bytes > maxBytes) throw new WireError("too_large", `entries of ${bytes} bytes exceed maxBytes (${maxBytes})`);
    const segments = (this.#segments ??= await this.#readSegments());
    await this.#makeRoom(segments, bytes);
    const segment = await this.#segmentFor(segments, bytes);
    this.#current = undefined; // after a failure the file may end in half a line: the next write starts another
    this.#unflushed.add(segment.name);
    await writeFile(join(this.#folder, segment.name), text, { flag: "a", flush: fsync === "always" });
    segment.bytes += bytes;
    this.#current = segment;
    this.record = { ...this.record, updatedAt: await this.#stamp(segment.name) };
  }

  async #stamp(name: string): Promise<string> {
    return new Date(await this.#parts.clock.stamp(this.#folder, name)).toISOString();
  }

  /** The present file, or a new one when there is none or it is full. */
  async #segmentFor(segments: Segment[], bytes: number): Promise<Segment> {
    const current = this.#current;
    const isFull = current !== undefined && current.bytes + bytes > this.#parts.maxBytes / segmentsOfLimit;
    if (current !== undefined && (!isFull || current.bytes === 0)) return current;
    for (let number = numberOf(segments.at(-1)?.name ?? "0") + 1; ; number++) {
      const segment = { name: segmentName(number), bytes: 0 };
      if (!(await created(join(this.#folder, segment.name)))) continue; // another process was the writer meanwhile
      segments.push(segment);
      return segment;
    }
  }

  /** Drops the oldest files while all of them and what is to be added are too large. */
  async #makeRoom(segments: Segment[], bytes: number): Promise<void> {
    let total = segments.reduce((sum, segment) => sum + segment.bytes, bytes);
    while (total > this.#parts.maxBytes) {
      const oldest = segments.shift();
      if (oldest === undefined) return;
      if (oldest === this.#current) this.#current = undefined;
      this.#unflushed.delete(oldest.name);
      await rm(join(this.#folder, oldest.name), { force: true });
      total -= oldest.bytes;
    }
  }

  async #readSegments(): Promise<Segment[]> {
    const names = segmentsIn(await readdir(this.#folder));
    return Promise.all(names.map(async (name) => ({ name, bytes: (await stat(join(this.#folder, name))).size })));
  }

  /** The entry of a line. One that a killed process wrote in part was never acknowledged. */
  #entryOf(name: string, line: string): Entry[] {
    try {
      return [JSON.parse(line) as Entry];
    } catch {
      this.#parts.onError(new Error(`${join(this.#folder, name)}: a line that is not JSON was left out`));
      return [];
    }
  }
}

/** Makes an empty file; false when it exists. */
async function created(path: string): Promise<boolean> {
  try {
    await writeFile(path, "", { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r+");
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
