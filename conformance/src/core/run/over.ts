import type { Connection } from "../talk/connection.js";
import { CaseEnd } from "../errors.js";
import { handled } from "../talk/waits.js";

/** Ends a run before its last case: a signal, or its time limit. */
export interface Over {
  /** Why, once it is over. */
  readonly reason: string | undefined;
  /** It was the time limit. */
  readonly late: boolean;
  /** Whether half of the time limit has passed. */
  isHalf(): boolean;
  /** Aborted once it is over. */
  readonly signal: AbortSignal;
  /** Rejects with a `CaseEnd` that blocks what has not been judged, once it is over. */
  readonly cut: Promise<never>;
  /** Forgets the time limit: the run has come to its end. */
  done(): void;
}

/** Watches a signal and a time limit in milliseconds. */
export function overBy(signal: AbortSignal | undefined, limitMs: number): Over {
  let reason: string | undefined;
  let late = false;
  const half = performance.now() + limitMs / 2;
  const ended = new AbortController();
  let reject: (end: CaseEnd) => void = () => {};
  const cut = handled(new Promise<never>((_resolve, fail) => (reject = fail)));
  const end = (why: string): void => {
    reason ??= why;
    reject(new CaseEnd("blocked", reason));
    ended.abort();
  };
  const onAbort = (): void => end("the run was interrupted");
  const timer = setTimeout(
    () => {
      late = reason === undefined;
      end(`the run did not end within its time limit of ${limitMs / 1000} s`);
    },
    Math.min(limitMs, 2 ** 31 - 1),
  );
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted === true) onAbort();
  return {
    get reason() {
      return reason;
    },
    get late() {
      return late;
    },
    isHalf: () => performance.now() > half,
    cut,
    signal: ended.signal,
    done() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

/** A connection that is being opened. When the run is over before, it is closed as soon as it is open. */
export async function untilOver(opening: Promise<Connection>, { cut }: Over): Promise<Connection> {
  try {
    return await Promise.race([opening, cut]);
  } catch (error) {
    if (error instanceof CaseEnd) opening.then((connection) => connection.close()).catch(() => {});
    throw error;
  }
}
