import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command, PartName, Told } from "./messages.js";
import { added, asked, incident, type Task } from "./tasks.js";

/** The parts of the demo that the story uses. */
export interface StoryParts {
  readonly project: string;
  readonly send: (name: PartName, command: Command) => void;
}

/** How often something is asked for. */
const maxAttempts = 4;

/**
 * The actions of the users: one gives the host a task, the one of the ECA editor adds something to it, and the one of
 * the Kaiak client has an incident fixed. Each step depends on the files on the disk, so the story continues wherever a
 * process was lost.
 */
export class Story {
  /** Resolves at the end: true when every defect is fixed. */
  readonly over: Promise<boolean>;
  readonly #parts: StoryParts;
  #resolve = (_isFixed: boolean): void => {};
  #sessionId: string | undefined;
  /** The command that a process has not finished. */
  #pending: { readonly name: PartName; readonly command: Command } | undefined;
  #attempts = 0;

  constructor(parts: StoryParts) {
    this.#parts = parts;
    this.over = new Promise((resolve) => (this.#resolve = resolve));
  }

  /** Takes what a process tells. */
  async told(name: PartName, told: Told): Promise<void> {
    if (told.type === "thread" && told.sessionId !== this.#sessionId) {
      this.#sessionId = told.sessionId;
      for (const editor of ["eca-editor", "acp-editor"] as const) this.restarted(editor);
    }
    if (told.type !== "over") return;
    // Before anything is pending, the answer of the host is awaited.
    if ((this.#pending?.name ?? "helix-host") === name) await this.#goOn();
  }

  /** Has a process that was started again go on. */
  restarted(name: PartName): void {
    const sessionId = this.#sessionId;
    const isEditor = name === "eca-editor" || name === "acp-editor";
    if (isEditor && sessionId !== undefined) this.#parts.send(name, { type: "open", sessionId });
    if (this.#pending?.name === name) this.#parts.send(name, this.#pending.command);
  }

  /** Asks for what is not fixed yet. */
  async #goOn(): Promise<void> {
    const missing = await this.#firstMissing();
    if (missing === undefined || this.#attempts === maxAttempts) return this.#resolve(missing === undefined);
    if (missing === incident) this.#ask("kaiak-client", { type: "fix", message: missing.text });
    else this.#ask("eca-editor", { type: "say", text: missing.text });
  }

  #ask(name: PartName, command: Command): void {
    this.#attempts = this.#pending?.name === name ? this.#attempts + 1 : 1;
    this.#pending = { name, command };
    this.#parts.send(name, command);
  }

  async #firstMissing(): Promise<Task | undefined> {
    for (const task of [asked, added, incident]) {
      const text = await readFile(join(this.#parts.project, task.file), "utf8");
      if (!text.includes(task.fixed)) return task;
    }
    return undefined;
  }
}
