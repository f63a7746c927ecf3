import { setImmediate as tick, setTimeout as sleep } from "node:timers/promises";
import { UsageError } from "../core/errors.js";

/** A step of a fault that replaces a chunk: bytes to write, milliseconds to wait, or the end of the stream. */
export type FaultStep = Uint8Array | number | "end";

/** A disturbance of what the suite writes, for one connection. Its state lives in the closures. */
export interface Fault {
  /** As it is written on the command line, such as `split:1`. */
  readonly name: string;
  /**
   * The layer of the fault: `pieces` of one message, whole `messages`, of which it adds some, or the `stream` of bytes,
   * which a transport with messages of its own does not have.
   */
  readonly on: "pieces" | "messages" | "stream";
  /** The steps for one chunk. */
  readonly apply: (chunk: Uint8Array) => readonly FaultStep[];
  /** The bytes that were held back; called when nothing more is written for a while, and at the end. */
  readonly flush?: (() => readonly FaultStep[]) | undefined;
}

const IDLE_MS = 5;

/** Writes through faults, in order, whatever they delay. */
export function faultyWriter(
  write: (chunk: Uint8Array) => void,
  end: () => void,
  faults: readonly Fault[],
): { write(chunk: Uint8Array): void; end(): void } {
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

/** Where one message goes, on a transport that has messages of its own. */
export interface MessageSink {
  /** Begins a message of the given size in bytes. */
  begin(size: number): {
    piece(bytes: Uint8Array, last: boolean): void;
    /** Breaks off within the message. */
    abandon(): void;
  };
}

/** Writes messages through faults, one after another; throws a `UsageError` for a fault of streams. */
export function faultyMessages(sink: MessageSink, faults: readonly Fault[]): (body: Uint8Array) => Promise<void> {
  const misfit = faults.find(({ on }) => on === "stream");
  if (misfit !== undefined)
    throw new UsageError(`the fault "${misfit.name}" is for streams of bytes, and this transport sends whole messages`);
  const adding = faults.filter(({ on }) => on === "messages");
  const cutting = faults.filter(({ on }) => on === "pieces");
  const through = (steps: readonly FaultStep[], chain: readonly Fault[]): readonly FaultStep[] =>
    chain.reduce((now, { apply }) => now.flatMap((step) => (step instanceof Uint8Array ? apply(step) : [step])), steps);
  let over = false;
  const one = async (body: Uint8Array): Promise<void> => {
    if (over) return;
    const message = sink.begin(body.length);
    let left = body.length;
    for (const step of through([body], cutting)) {
      if (step === "end") {
        over = true;
        return message.abandon();
      }
      if (step === 0) await tick();
      else if (typeof step === "number") await sleep(step);
      else {
        left -= step.length;
        message.piece(step, left === 0);
      }
    }
    // Bytes that were kept back for good leave the message open, and nothing can follow it.
    over = left > 0;
  };
  return async (body) => {
    for (const each of through([body], adding)) if (each instanceof Uint8Array) await one(each);
  };
}
