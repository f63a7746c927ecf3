import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const ROUNDS = 50;
const ROUND_MS = 20;

/** The mark of one run, which every program inherits that this run starts. */
export interface RunMark {
  /** The variables to add to the environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Kills every process that has the mark, also one that left the process group with `setsid`. Looks again until it
   * finds none, because a process may start another one meanwhile; gives up after a second. Does nothing where there is
   * no `/proc`.
   */
  endStrays(): Promise<void>;
}

/**
 * Creates the mark of a run. A program that empties its environment and leaves the process group is not found by it.
 */
export function createRunMark(): RunMark {
  const [name, value] = ["CODING_AGENT_RUN", randomUUID()];
  const text = Buffer.from(`${name}=${value}\0`);
  return {
    env: { [name]: value },
    async endStrays() {
      for (let round = 0; round < ROUNDS; round++) {
        const pids = process.platform === "linux" ? pidsWith(text) : [];
        if (pids.length === 0) return;
        for (const pid of pids) kill(pid);
        await sleep(ROUND_MS);
      }
    },
  };
}

/** The processes whose initial environment contains a text. The environment of one that has ended is empty. */
function pidsWith(text: Buffer): number[] {
  return processes().filter((pid) => environmentOf(pid).includes(text));
}

function processes(): number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return []; // a sandbox may hide /proc
  }
}

function environmentOf(pid: number): Buffer {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    return Buffer.alloc(0); // it has ended, or belongs to another user
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
