/** How long to wait between attempts. */
export interface BackoffOptions {
  /** Milliseconds before the second attempt. Default 1,000; each further one waits twice as long. */
  minMs?: number | undefined;
  /** Milliseconds at most. Default 30,000. */
  maxMs?: number | undefined;
  /**
   * The share by which a wait may be longer, at random, so that not all come back at once after an outage.
   * Default 0.25.
   */
  jitter?: number | undefined;
  /** Milliseconds that a connection must last so that the waits start over. Default 5,000. */
  stableMs?: number | undefined;
}

/** Milliseconds to wait after this number of failures in a row; the first one counts 0. */
export function backoff(
  failures: number,
  { minMs = 1_000, maxMs = 30_000, jitter = 0.25 }: BackoffOptions = {},
  random: () => number = Math.random,
): number {
  return Math.min(maxMs, minMs * 2 ** Math.min(failures, 30) * (1 + jitter * random()));
}
