/** Why a wait failed. */
export type Miss = "timeout" | "closed" | "mismatch" | "invalid";

/** The target did not do what a case waits for in time, or did something else. */
export class ExpectationError extends Error {
  override readonly name = "ExpectationError";

  constructor(
    readonly miss: Miss,
    message: string,
    readonly details: {
      readonly expected?: string | undefined;
      readonly actual?: unknown;
      readonly at?: number | undefined;
    } = {},
  ) {
    super(message);
  }

  /** The requirement that is violated by what did not come, for waits outside of cases. */
  violates?: string | undefined;
}

/** A wait of a handshake: when it fails, the requirement is violated. */
export async function violating<T>(req: string, awaited: Promise<T>): Promise<T> {
  try {
    return await awaited;
  } catch (error) {
    if (error instanceof ExpectationError && (error.miss === "timeout" || error.miss === "closed"))
      error.violates = req;
    throw error;
  }
}

/** Resolves with the result of a wait, or with `undefined` when its time is over. Rejects with every other error. */
export async function inTime<T>(awaited: Promise<T>): Promise<T | undefined> {
  try {
    return await awaited;
  } catch (error) {
    if (error instanceof ExpectationError && error.miss === "timeout") return undefined;
    throw error;
  }
}

/** Passes over a wait that ended because of an invalid message, which a monitor judges. Throws every other error. */
export function unlessInvalid(error: unknown): void {
  if (!(error instanceof ExpectationError) || error.miss !== "invalid") throw error;
}

/** Ends a case early, after a failed check, or because the remaining requirements cannot or need not be judged. */
export class CaseEnd extends Error {
  override readonly name = "CaseEnd";

  constructor(
    readonly verdict: "failed" | "blocked" | "not-applicable",
    reason: string,
  ) {
    super(reason);
  }
}

/** The suite itself failed: it would send an invalid message by mistake, or a case violates its own declaration. */
export class HarnessError extends Error {
  override readonly name = "HarnessError";
}

/** The options of a run are invalid. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
