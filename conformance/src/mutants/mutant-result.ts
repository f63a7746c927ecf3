/** How a mutant fared. */
export interface MutantResult {
  readonly id: string;
  /**
   * `killed`: a check of what it violates noticed it, and no check of anything else did. `survived`: nobody noticed.
   * `wrong-reason`: other checks failed. `benign`: it breaks nothing, and passed. `unapplied`: no case came to what it
   * changes, so it shows nothing. `error`: the suite itself failed.
   */
  readonly verdict: "killed" | "survived" | "wrong-reason" | "benign" | "unapplied" | "error";
  /** Checks of violated requirements that noticed it. */
  readonly killers: readonly string[];
  /** Checks of other requirements that failed, which they should not. */
  readonly unexpected: readonly string[];
  /** Requirements that are neither violated nor collateral, and of which a check failed or was blocked. */
  readonly elsewhere: readonly Elsewhere[];
  /** Requirements that it proves: their checks can fail. */
  readonly proves: readonly string[];
  /** Violated requirements that nobody noticed. */
  readonly missed: readonly string[];
  readonly ms: number;
  readonly reason?: string | undefined;
}

/** A requirement of which a check failed or was blocked for a mutant that does not violate it. */
export interface Elsewhere {
  readonly req: string;
  readonly how: "fails" | "blocks";
  /** The first case in which it did, and the message of its check. */
  readonly at: string;
  readonly message: string;
}
