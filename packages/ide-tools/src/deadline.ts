import { ToolError } from "./errors.js";

/** The limits of a call. */
export interface CallLimits {
  /** Milliseconds after which the call rejects with a `ToolError`. */
  readonly timeoutMs: number;
  /** Ends the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The time limit of a call, passed to its work. */
export interface Deadline {
  /** Aborts when the time is over and when the caller's signal does. */
  readonly signal: AbortSignal;
  /** When the time is over, in milliseconds since 1970. */
  readonly endsAt: number;
  /**
   * Called before the step that must not be left half done, such as writing a file: from then on the call waits for the
   * work, however long it takes. Throws when the time is over already.
   */
  hold(): void;
}

/** Runs work that ends in time, even where a step of it, such as a slow file system, does not heed the signal. */
export async function withDeadline<Result>(
  { timeoutMs, signal }: CallLimits,
  work: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  const isOver = (): ToolError =>
    new ToolError(`The time of ${timeoutMs} ms is over`, { code: "timeout", detail: `${timeoutMs}` });
  if (timeoutMs <= 0) throw isOver();
  const endsAt = Date.now() + timeoutMs;
  const timeout = AbortSignal.timeout(timeoutMs);
  const ended = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  let stop = (): void => {};
  try {
    ended.throwIfAborted();
    const aborted = new Promise<never>((_, reject) => {
      stop = () => reject(ended.reason);
      ended.addEventListener("abort", stop);
    });
    const hold = (): void => {
      ended.throwIfAborted();
      ended.removeEventListener("abort", stop);
    };
    return await Promise.race([work({ signal: ended, endsAt, hold }), aborted]);
  } catch (error) {
    if (!timeout.aborted || error !== timeout.reason) throw error;
    throw isOver();
  } finally {
    ended.removeEventListener("abort", stop);
  }
}
