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
