import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { readLines } from "@editwire/framing";
import { type Command, type PartName, partNames, type Places, type Told } from "./messages.js";

/** Called with the reports of the system. */
export interface SystemListeners {
  told(name: PartName, told: Told): void;
  /** A line that a process wrote to stderr. */
  wrote(name: PartName, line: string): void;
  /** A process has ended, and is about to be started again. */
  ended(name: PartName, how: string): void;
  /** A process ends each time that it is started. */
  failed(name: PartName): void;
}

/** How often a process may end by itself. */
const maxStarts = 5;

/** The processes of the demo. One that ends is started again. */
export class System {
  readonly #places: Places;
  readonly #listeners: SystemListeners;
  readonly #children = new Map<PartName, ChildProcess>();
  readonly #starts = new Map<PartName, number>();
  #isOver = false;

  constructor(places: Places, listeners: SystemListeners) {
    this.#places = places;
    this.#listeners = listeners;
  }

  /** Starts all. `held` stops at a telling moment, when it is started for the first time. */
  start(held: PartName | undefined): void {
    for (const name of partNames) this.#start(name, name === held);
  }

  /** Has a process do something. */
  send(name: PartName, command: Command): void {
    const child = this.#children.get(name);
    if (child?.connected === true) child.send(command);
  }

  /** Kills a process as kill -9 does. */
  kill(name: PartName): void {
    this.#children.get(name)?.kill("SIGKILL");
  }

  /** Ends all. */
  async close(): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#children.values()].map(ended));
  }

  #start(name: PartName, hold: boolean): void {
    // From source or bundled: the program has the extension of this module.
    const program = new URL(`./part${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
    const env = { ...process.env, ...noModel, PART: JSON.stringify({ ...this.#places, hold }) };
    const child = fork(program, [name], { env, stdio: ["ignore", "ignore", "pipe", "ipc"] });
    this.#children.set(name, child);
    this.#starts.set(name, (this.#starts.get(name) ?? 0) + 1);
    child.on("message", (told: Told) => this.#listeners.told(name, told));
    void this.#readStderr(name, child);
    child.once("exit", (code, signal) => {
      if (this.#isOver) return;
      if ((this.#starts.get(name) ?? 0) >= maxStarts) return this.#listeners.failed(name);
      this.#start(name, false);
      this.#listeners.ended(name, signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`);
    });
  }

  async #readStderr(name: PartName, { stderr }: ChildProcess): Promise<void> {
    if (stderr !== null) for await (const line of readLines(stderr)) this.#listeners.wrote(name, line);
  }
}

/** Without these, the agent uses its scripted model. */
const noModel = { OPENAI_BASE_URL: "", OPENAI_API_KEY: "", CODING_AGENT_MODEL: "" };

/** Milliseconds that a process has to end by itself. */
const endMs = 2_000;

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), endMs);
  await gone;
  clearTimeout(timer);
}
