import type { TraceEntry } from "../trace/trace.js";
import type { Check } from "./check.js";
import type { Verdict } from "./verdict.js";

/** The result of one case. */
export interface CaseResult {
  readonly id: string;
  readonly title: string;
  readonly verdict: Verdict;
  readonly ms: number;
  readonly checks: readonly Check[];
  /** The reason why it ended early, or the fault of the suite. */
  readonly reason?: string | undefined;
  /** The bytes, messages and events while it ran. */
  readonly trace: readonly TraceEntry[];
}
