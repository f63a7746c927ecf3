/** How a wait came to nothing. */
export type Miss = "timeout" | "closed" | "mismatch" | "invalid";

/** The target did not do in time what a case waits for, or did something else. */
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

/** Ends a case early: the check that failed is recorded, or the rest cannot or need not be judged. */
export class CaseEnd extends Error {
  override readonly name = "CaseEnd";

  constructor(
    readonly verdict: "failed" | "blocked" | "not-applicable",
    reason: string,
  ) {
    super(reason);
  }
}

/** The suite itself is wrong: it would send an invalid message by mistake, or a case breaks its own declaration. */
export class HarnessError extends Error {
  override readonly name = "HarnessError";
}

/** The run is asked for something that does not exist. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
