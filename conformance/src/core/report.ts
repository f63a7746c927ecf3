import type { TraceEntry } from "../trace/trace.js";
import type { BaselineReport } from "./baseline.js";
import type { Check } from "./check.js";
import type { Outcome } from "./exit-code.js";
import type { Basis, Requirement } from "./requirement.js";
import type { Totals, Verdict } from "./verdict.js";

/** What came of one case. */
export interface CaseResult {
  readonly id: string;
  readonly title: string;
  readonly verdict: Verdict;
  readonly ms: number;
  readonly checks: readonly Check[];
  /** Why it ended early, or what is wrong with the suite. */
  readonly reason?: string | undefined;
  /** What happened on the wire while it ran. */
  readonly trace: readonly TraceEntry[];
}

/** How a requirement stands after a run. `untested`: no check of it ran. */
export interface RequirementResult
  extends Pick<Requirement, "id" | "level" | "basis" | "text" | "quotes" | "oracle" | "excluded"> {
  readonly status: Verdict | "untested" | "excluded";
}

/** What was run. */
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

/** How the musts of one basis fared. */
export interface BasisVerdict {
  readonly basis: Basis;
  readonly outcome: "violated" | "incomplete" | "passed" | "conformant";
  /** Musts that bind the target and that a run can judge. */
  readonly musts: number;
  /** Musts that were judged as met. */
  readonly met: number;
  /** Ids of the musts that are violated, also of those that the baseline explains. */
  readonly violated: readonly string[];
  /** Ids of the musts that could not be judged. */
  readonly blocked: readonly string[];
}

/** What the handshake told of the target. */
export interface TargetInfo {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly capabilities?: unknown;
  /** Milliseconds from the start to the end of the handshake. */
  readonly startMs?: number | undefined;
}

/** Everything that a run found. */
export interface RunReport {
  readonly run: RunInfo;
  readonly target: TargetInfo;
  readonly outcome: Outcome;
  readonly exitCode: number;
  /** Why the run did not get to its end. */
  readonly error?: string | undefined;
  /** Counts of cases. */
  readonly cases: readonly CaseResult[];
  readonly totals: { readonly cases: Totals; readonly checks: Totals };
  readonly requirements: readonly RequirementResult[];
  /** One verdict for each basis: stated, inferred, interop. */
  readonly verdicts: readonly BasisVerdict[];
  readonly baseline?: BaselineReport | undefined;
}
