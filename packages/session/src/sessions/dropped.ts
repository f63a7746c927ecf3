import type { Diagnostic } from "@editwire/core";
import { startTimer } from "@editwire/core/timers";

/** Ids whose dropped messages are reported by themselves in a second. */
const maxIds = 100;

/** How dropped messages are reported. */
export interface DroppedReport {
  /** The id of the diagnostic, such as `unknown-session`. */
  readonly id: string;
  /** The method of the messages; `undefined` for several. */
  readonly method: string | undefined;
  /** The kind of thing that the ids name, such as `session`. */
  readonly subject: string;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
}

/**
 * Reports messages for ids that are not known: in each second the first one of each id, for up to 100 ids, and at its
 * end how many others there were. A peer may send them without end.
 */
export class DroppedMessages {
  readonly #report: DroppedReport;
  /** How many messages were dropped in this second after the first one, by id. */
  readonly #dropped = new Map<string, number>();
  /** How many were dropped besides. */
  #others = 0;

  constructor(report: DroppedReport) {
    this.#report = report;
  }

  /** Messages for an id were dropped. */
  add(sessionId: string, count = 1): void {
    if (this.#dropped.size === 0) startTimer(1_000, () => this.#nextSecond());
    const more = this.#dropped.get(sessionId);
    const isCounted = more !== undefined || this.#dropped.size < maxIds;
    if (more === undefined && isCounted) this.#tell(count, "", sessionId);
    if (isCounted) this.#dropped.set(sessionId, more === undefined ? 0 : more + count);
    else this.#others += count;
  }

  #nextSecond(): void {
    for (const [sessionId, count] of this.#dropped) if (count > 0) this.#tell(count, "more ", sessionId);
    if (this.#others > 0) this.#tell(this.#others, "more ", undefined);
    this.#dropped.clear();
    this.#others = 0;
  }

  #tell(count: number, more: string, sessionId: string | undefined): void {
    const { id, method, subject, onDiagnostic } = this.#report;
    const whose = sessionId === undefined ? `other unknown ${subject}s` : `the unknown ${subject} ${sessionId}`;
    const what = `${count} ${more}message${count === 1 ? "" : "s"}`;
    onDiagnostic({ id, method, message: `${what} for ${whose} dropped` });
  }
}
