import type { Target } from "../../wire/link.js";
import type { BehaviorMode, BehaviorProvider } from "./behaviors.js";
import type { BaselineEntry } from "../verdict/baseline.js";
import type { Basis } from "../registry/requirement.js";
import type { FaultAxis } from "./fault-axis.js";
import type { ConformanceProtocol } from "../protocol.js";
import type { CaseResult } from "../verdict/check.js";

/** The events of a run, for live reporters. */
export type RunEvent =
  | { readonly type: "start"; readonly cases: number }
  | { readonly type: "case"; readonly result: CaseResult };

/** The options of a run. */
export interface RunOptions {
  /** The protocol that the target speaks, such as `acp`. */
  readonly protocol: ConformanceProtocol;
  /** The role of the target. */
  readonly role: string;
  readonly target: Target;
  /** How the suite makes the target act. Default `none`: it gets plain prompts, and what needs more is not judged. */
  readonly behaviors?: BehaviorMode | BehaviorProvider | undefined;
  /** Default: the protocol's first. */
  readonly profile?: string | undefined;
  /**
   * Only watches a target that acts by itself, with monitors and scripted reactions instead of cases, until it exits or
   * `signal` aborts.
   */
  readonly watch?: boolean | undefined;
  /** Patterns for case ids; `*` matches any text. */
  readonly filter?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
  /** Patterns for requirement ids. */
  readonly requirements?: readonly string[] | undefined;
  /** Faults of the byte stream of every case, such as `split:1`. */
  readonly faults?: readonly string[] | undefined;
  /**
   * Repeats the smoke cases or all cases over byte streams with faults that must not affect a target, as
   * `<id>@<fault>`. Default `none`.
   */
  readonly faultAxis?: FaultAxis | undefined;
  /** Framing of the suite's messages on byte streams. Default: the protocol's. */
  readonly framing?: "line" | "header" | undefined;
  /** The seed. Default: a random one, which the report names. */
  readonly seed?: number | undefined;
  /** Cases that run at the same time, each on its own connection. Default 2, and 8 for a target that answers slowly. */
  readonly jobs?: number | undefined;
  /** Factor for all deadlines and pauses. Below 1, it does not shorten the start of a target. Default 1. */
  readonly timeScale?: number | undefined;
  /** Factor for the times during which nothing must happen. Default: `timeScale`. */
  readonly quietScale?: number | undefined;
  /** Milliseconds that a target has to exit by itself. Default 2000. */
  readonly graceMs?: number | undefined;
  /** Milliseconds for the first connection and handshake. Default 30 000. */
  readonly startMs?: number | undefined;
  /**
   * Milliseconds for the whole run. A run that reaches it reports what it has. It is incomplete if no case has judged
   * a must that decides. Default 900 000; a target that is only watched has no limit.
   */
  readonly limitMs?: number | undefined;
  readonly baseline?: readonly BaselineEntry[] | undefined;
  /** A violated `should` counts as a violation. */
  readonly strict?: boolean | undefined;
  /**
   * The bases of the requirements that decide the outcome. The others are judged and reported separately. Default:
   * `stated` alone.
   */
  readonly basis?: readonly Basis[] | undefined;
  /** Stops after this number of failed cases. */
  readonly bail?: number | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  /** Aborting ends the run; the report has the results until then. */
  readonly signal?: AbortSignal | undefined;
}
