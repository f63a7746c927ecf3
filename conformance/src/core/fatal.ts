import type { TraceEntry } from "../trace/trace.js";

/** Tells the waits of a case that the target sent something from which nobody could go on. */
export class Fatal {
  /** What it was; from then on every wait fails at once. */
  problem: string | undefined;
  at: number | undefined;
  /** Called when the problem is there. */
  readonly listeners = new Set<() => void>();
  readonly #tolerant = new Set<Fatal>();

  /** Takes a problem; the first one stays. */
  raise(entry: TraceEntry, problem: string): void {
    for (const other of this.#tolerant) if (entry.kind !== "malformed") other.raise(entry, problem);
    if (this.problem !== undefined) return;
    this.problem = problem;
    this.at = entry.seq;
    for (const listener of [...this.listeners]) listener();
  }

  /** The same without noise: bytes that are no message do not end a handshake. */
  lenient(): Fatal {
    const other = new Fatal();
    this.#tolerant.add(other);
    return other;
  }

  /** Forgets the problem: it belongs to what ran before. */
  clear(): void {
    this.problem = this.at = undefined;
  }
}
