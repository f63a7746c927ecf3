import type { Pattern } from "../../trace/pattern.js";
import type { TraceEntry } from "../../trace/trace.js";
import type { Basis, Level, Requirement } from "../registry/requirement.js";
import type { Verdict } from "./verdict.js";

/** One judgment of one requirement. */
export interface Check {
  /** `<case or monitor>#<requirement>`: what a baseline names. */
  readonly id: string;
  readonly req: string;
  readonly level: Level;
  readonly basis: Basis;
  readonly verdict: Verdict;
  /** `case`, or `monitor` for a check of a monitor, which watches every case. */
  readonly source: "case" | "monitor";
  readonly message?: string | undefined;
  readonly expected?: string | undefined;
  readonly actual?: unknown;
  /** Position in the trace of the message that decided it. */
  readonly at?: number | undefined;
  /** How often it was judged; the worst verdict is kept. */
  readonly count: number;
}

/** The details of a failed check. */
export interface Findings {
  readonly message?: string | undefined;
  /** The expectation of the requirement, as text or as a pattern. */
  readonly expected?: Pattern;
  readonly actual?: unknown;
  /** Position in the trace; default: the last message so far. */
  readonly at?: number | undefined;
}

/** The requirements by id; throws for an unknown id, because that is a bug of the suite. */
export type Lookup = (id: string) => Requirement;

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
