import type { Target } from "../wire/link.js";
import type { BehaviorMode, BehaviorProvider } from "./behaviors.js";
import type { BaselineEntry } from "./baseline.js";
import type { Basis } from "./requirement.js";
import type { FaultAxis } from "./fault-axis.js";
import type { ConformanceProtocol } from "./protocol.js";
import type { CaseResult } from "./report.js";

/** What happens during a run, for reporters that show it live. */
export type RunEvent =
  | { readonly type: "start"; readonly cases: number }
  | { readonly type: "case"; readonly result: CaseResult };

/** What to run against what, and how. */
export interface RunOptions {
  /** The protocol that the target speaks, such as `acp`. */
  readonly protocol: ConformanceProtocol;
  /** The role of the target. */
  readonly role: string;
  readonly target: Target;
  /** How the suite steers the target. Default `none`: cases that need a behavior are blocked. */
  readonly behaviors?: BehaviorMode | BehaviorProvider | undefined;
  /** Default: the protocol's first. */
  readonly profile?: string | undefined;
  /**
   * Only watches a target that acts on its own, until it ends or `signal` aborts: monitors and scripted reactions, no
   * cases.
   */
  readonly watch?: boolean | undefined;
  /** Patterns on case ids; `*` stands for any text. */
  readonly filter?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
  /** Patterns on requirement ids. */
  readonly requirements?: readonly string[] | undefined;
  /** Faults on the wire of every case, such as `split:1`. */
  readonly faults?: readonly string[] | undefined;
  /**
   * Runs the smoke cases or all cases again, as `<id>@<fault>`, over byte streams with faults that must not affect a
   * target. Default `none`.
   */
  readonly faultAxis?: FaultAxis | undefined;
  /** Framing of what the suite sends on byte streams. Default: the protocol's. */
  readonly framing?: "line" | "header" | undefined;
  /** Default: a fresh one, which the report names. */
  readonly seed?: number | undefined;
  /** Cases at the same time, each on a connection of its own. Default 2. */
  readonly jobs?: number | undefined;
  /** Stretches all time. Default 1. */
  readonly timeScale?: number | undefined;
  /** Stretches only the time in which nothing must happen. Default: `timeScale`. */
  readonly quietScale?: number | undefined;
  /** Milliseconds that a target gets to end by itself. Default 2000. */
  readonly graceMs?: number | undefined;
  /** Milliseconds for the first connection and handshake. Default 30 000. */
  readonly startMs?: number | undefined;
  /**
   * Milliseconds for the whole run. A run that reaches it reports what it has and is incomplete. Default 900 000; a
   * target that is only watched has no limit.
   */
  readonly limitMs?: number | undefined;
  readonly baseline?: readonly BaselineEntry[] | undefined;
  /** A violated `should` counts as a violation. */
  readonly strict?: boolean | undefined;
  /**
   * Which requirements decide the outcome: those of these bases. The others are judged and reported beside it. Default:
   * `stated` alone.
   */
  readonly basis?: readonly Basis[] | undefined;
  /** Stops after this number of failed cases. */
  readonly bail?: number | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  /** Aborting ends the run; the report says what was found up to then. */
  readonly signal?: AbortSignal | undefined;
}
