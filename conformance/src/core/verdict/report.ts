import type { BaselineReport } from "./baseline.js";
import type { CaseResult } from "./check.js";
import type { Cause } from "./causes.js";
import type { Outcome } from "./exit-code.js";
import type { Basis, Requirement } from "../registry/requirement.js";
import type { Totals, Verdict } from "./verdict.js";

/** The status of a requirement after a run. `untested`: none of its checks ran. */
export interface RequirementResult
  extends Pick<Requirement, "id" | "level" | "basis" | "text" | "quotes" | "oracle" | "excluded"> {
  readonly status: Verdict | "untested" | "excluded";
}

/** The versions and options of a run. */
export interface RunInfo {
  readonly protocol: string;
  readonly role: string;
  readonly profile: string;
  readonly target: string;
  readonly transport: string;
  readonly seed: number;
  readonly timeScale: number;
  readonly faults: readonly string[];
  readonly framing: string;
  readonly behaviors: string;
  /** A violated `should` counts as a violation. */
  readonly strict: boolean;
  /** The bases of the requirements that decide the outcome. */
  readonly basis: readonly Basis[];
  /** Cases that were selected; fewer ran when the run was interrupted. */
  readonly selected: number;
  /** Hash of the spec that the registry quotes. */
  readonly spec: string;
  readonly startedAt: string;
  readonly ms: number;
}

/** The results of the musts of one basis. */
export interface BasisVerdict {
  readonly basis: Basis;
  readonly outcome: "violated" | "incomplete" | "passed" | "conformant";
  /** Musts that apply to the target and that a run can judge. */
  readonly musts: number;
  /** Musts that were judged as met. */
  readonly met: number;
  /** Ids of the violated musts, including those that the baseline explains. */
  readonly violated: readonly string[];
  /** Ids of the musts that could not be judged. */
  readonly blocked: readonly string[];
}

/**
 * The cases and requirements that a run left out because the target does not show them on request. They count neither
 * for nor against it.
 */
export interface NotJudged {
  /** Ids of the cases that were left out. */
  readonly cases: readonly string[];
  /** The behaviors that they need. */
  readonly behaviors: readonly string[];
  /** Ids of the requirements that no other case judged. */
  readonly requirements: readonly string[];
}

/** The facts about the target that the handshake showed. */
export interface TargetInfo {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly capabilities?: unknown;
  /** Milliseconds from the start to the end of the handshake. */
  readonly startMs?: number | undefined;
}

/** The results of a run. */
export interface RunReport {
  readonly run: RunInfo;
  readonly target: TargetInfo;
  readonly outcome: Outcome;
  readonly exitCode: number;
  /** Facts about the target, found during the run, that keep cases from judging it as usual. */
  readonly notes?: readonly string[] | undefined;
  /** The reason why the run was not completed. */
  readonly error?: string | undefined;
  /** The behaviors that the target would have to show on request. */
  readonly notJudged?: NotJudged | undefined;
  /** Counts of cases. */
  readonly cases: readonly CaseResult[];
  readonly totals: { readonly cases: Totals; readonly checks: Totals };
  readonly requirements: readonly RequirementResult[];
  /** One verdict for each basis: stated, inferred, interop. */
  readonly verdicts: readonly BasisVerdict[];
  readonly baseline?: BaselineReport | undefined;
  /** The common causes of cases that did not pass, without those that the baseline explains. */
  readonly causes: readonly Cause[];
}
