import { setTimeout as sleep } from "node:timers/promises";

/** A disturbance of the byte stream that a correct peer must not notice, or must survive. */
export interface Fault {
  /** As it is written on the command line, such as `split:1`. */
  readonly name: string;
  /** Rewrites one chunk to the chunks that are really written, in order; a number waits so many milliseconds. */
  readonly apply: (chunk: Uint8Array) => readonly (Uint8Array | number)[];
  /** Chunks that were held back, when the stream ends or pauses. */
  readonly flush?: (() => readonly Uint8Array[]) | undefined;
}

/** Writes through faults, in order, whatever they delay. */
export function faultyWriter(write: (chunk: Uint8Array) => void, end: () => void, faults: readonly Fault[]) {
  if (faults.length === 0) return { write, end };
  let tail: Promise<void> | undefined;
  const emit = async (chunk: Uint8Array, rest: readonly Fault[]): Promise<void> => {
    const [fault, ...others] = rest;
    if (fault === undefined) return write(chunk);
    for (const piece of fault.apply(chunk)) {
      if (typeof piece === "number") await sleep(piece);
      else await emit(piece, others);
    }
  };
  const queue = (action: () => Promise<void> | void): void => {
    tail = (tail ?? Promise.resolve()).then(action);
  };
  return {
    write: (chunk: Uint8Array) => queue(() => emit(chunk, faults)),
    end: () => queue(end),
  };
}
