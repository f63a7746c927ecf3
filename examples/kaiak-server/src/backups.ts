import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Cleanup } from "@editwire/kaiak";

/** The originals of the files that a session has changed. They lie outside of the project. */
export class Backups {
  readonly #files: string[] = [];
  #folder: Promise<string> | undefined;

  /** Keeps a text. Returns the folder where it is. */
  async keep(path: string, text: string): Promise<string> {
    this.#folder ??= mkdtemp(join(tmpdir(), "kaiak-server-"));
    const folder = await this.#folder;
    const file = join(folder, `${this.#files.length + 1}-${basename(path)}`);
    this.#files.push(file);
    await writeFile(file, text, { mode: 0o600 });
    return folder;
  }

  /** Deletes the files. */
  async remove(): Promise<Cleanup> {
    if (this.#folder === undefined) return { tempFilesRemoved: 0 };
    const folder = await this.#folder;
    try {
      await rm(folder, { recursive: true });
      return { tempFilesRemoved: this.#files.length };
    } catch {
      return { errors: [`The backups in ${folder} could not be removed`] };
    }
  }
}
