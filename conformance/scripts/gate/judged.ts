import type { ConformanceProtocol, RunOptions, Target } from "../../src/index.js";

/** An implementation that the gate judges. */
export interface Judged {
  /** For the line that the gate prints. */
  readonly name: string;
  readonly protocol: ConformanceProtocol;
  readonly role: string;
  /** How often it is judged; every time has to come out the same. Default 1. */
  readonly runs?: number | undefined;
  /** A file in `baselines`: its verdicts are exactly those that it has. Absent: everything passes. */
  readonly baseline?: string | undefined;
  readonly options?: Partial<RunOptions> | undefined;
  /** Why it cannot be judged on this machine. */
  readonly skip?: string | undefined;
  open(): Promise<{ readonly target: Target; close(): Promise<void> }>;
}

/** How often our own peers are judged, with another seed each time, where a case does not start a process. */
export const repeatedRuns = 2;

/** A target that needs nobody to close it. */
export function opens(target: Target): Judged["open"] {
  return () => Promise.resolve({ target, close: () => Promise.resolve() });
}
