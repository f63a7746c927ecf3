import { stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { undefinedIfMissing } from "./replace-file.js";

/** The file of a caller whose time is that of the last write to any session. */
const clockFile = "clock";

/** Milliseconds between two times: the least that survives the way to the file system and back. */
const step = 0.002;

/**
 * The times of a store's files, in milliseconds since 1970. Each is later than those before it, also within one
 * millisecond and when the clock of the system goes back, so that they order the sessions.
 */
export class SessionClock {
  readonly #last = new Map<string, Promise<{ time: number }>>();

  /** Gives a file of a session its time, and returns that. */
  async stamp(folder: string, name: string): Promise<number> {
    const parent = dirname(folder);
    const last = await this.#lastIn(parent);
    const time = Math.max(Date.now(), last.time + step);
    last.time = time;
    const seconds = time / 1_000;
    const files = [join(folder, name), join(parent, clockFile)];
    await Promise.all(files.map((path) => utimes(path, seconds, seconds).catch(undefinedIfMissing)));
    return time;
  }

  #lastIn(parent: string): Promise<{ time: number }> {
    let last = this.#last.get(parent);
    if (last === undefined) this.#last.set(parent, (last = readLast(join(parent, clockFile))));
    return last;
  }
}

async function readLast(path: string): Promise<{ time: number }> {
  const found = await stat(path).catch(undefinedIfMissing);
  if (found === undefined) await writeFile(path, "", { mode: 0o600 });
  return { time: found?.mtimeMs ?? 0 };
}
