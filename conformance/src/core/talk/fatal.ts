import type { TraceEntry } from "../../trace/trace.js";

/** Ends the waits of a case after the target sent something from which no peer could continue. */
export class Fatal {
  /** The problem; once it is set, every wait fails at once. */
  problem: string | undefined;
  at: number | undefined;
  /** Called when the problem is set. */
  readonly listeners = new Set<() => void>();
  readonly #tolerant = new Set<Fatal>();

  /** Sets the problem; the first one is kept. */
  raise(entry: TraceEntry, problem: string): void {
    for (const other of this.#tolerant) if (entry.kind !== "malformed") other.raise(entry, problem);
    if (this.problem !== undefined) return;
    this.problem = problem;
    this.at = entry.seq;
    for (const listener of [...this.listeners]) listener();
  }

  /** The same, except that bytes which are not a message do not end a handshake. */
  lenient(): Fatal {
    const other = new Fatal();
    this.#tolerant.add(other);
    return other;
  }

  /** Clears the problem, which belongs to the previous case. */
  clear(): void {
    this.problem = this.at = undefined;
  }
}
