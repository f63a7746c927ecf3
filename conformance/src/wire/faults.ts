import { setImmediate as tick, setTimeout as sleep } from "node:timers/promises";

/** What a fault makes of a chunk: bytes to write, milliseconds to wait, or the end of the stream. */
export type FaultStep = Uint8Array | number | "end";

/** A disturbance of what the suite writes, for one connection. Its state lives in the closures. */
export interface Fault {
  /** As it is written on the command line, such as `split:1`. */
  readonly name: string;
  /** What is really done for one chunk. */
  readonly apply: (chunk: Uint8Array) => readonly FaultStep[];
  /** What was held back; asked when nothing more is written for a while, and at the end. */
  readonly flush?: (() => readonly FaultStep[]) | undefined;
}

const IDLE_MS = 5;

/** Writes through faults, in order, whatever they delay. */
export function faultyWriter(write: (chunk: Uint8Array) => void, end: () => void, faults: readonly Fault[]): { write(chunk: Uint8Array): void; end(): void } {
  if (faults.length === 0) return { write, end };
  let tail = Promise.resolve();
  let ended = false;
  let idle: NodeJS.Timeout | undefined;
  const finish = (): void => {
    if (!ended) end();
    ended = true;
  };
  const perform = async (steps: readonly FaultStep[], rest: readonly Fault[]): Promise<void> => {
    for (const step of steps) {
      if (step === "end") return finish();
      if (step === 0) await tick();
      else if (typeof step === "number") await sleep(step);
      else if (rest.length === 0) {
        if (!ended) write(step);
      } else await perform(rest[0]?.apply(step) ?? [], rest.slice(1));
    }
  };
  const flush = async (): Promise<void> => {
    for (const [index, fault] of faults.entries()) await perform(fault.flush?.() ?? [], faults.slice(index + 1));
  };
  const queue = (action: () => Promise<void> | void): void => void (tail = tail.then(action));
  return {
    write(chunk) {
      queue(() => perform([chunk], faults));
      clearTimeout(idle);
      idle = setTimeout(() => queue(flush), IDLE_MS);
    },
    end() {
      clearTimeout(idle);
      queue(flush);
      queue(finish);
    },
  };
}
