import type { Diagnostic } from "@editwire/core";
import type { Refusal } from "./guard.js";
import { startTimer } from "@editwire/core/timers";

/** A listener's report about its callers. */
export type ListenerReport =
  /** A caller was refused: it has no right to come in. */
  | "listener.refused"
  /** A caller or a connection had to leave, because there are too many. */
  | "listener.full"
  /** A connection was closed, because too much waits for those that read slowly (`maxQueuedTotal`). */
  | "listener.overloaded";

/** Characters of a path in a report. */
const maxPlace = 200;

/**
 * Reports what a listener did to its callers: in each second the first event of each kind, and at its end how many
 * others there were. A caller may come without end.
 */
export class ListenerReports {
  readonly #onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined;
  /** How many events of a kind there were in this second after the first one. */
  readonly #more = new Map<string, { readonly id: ListenerReport; count: number }>();

  constructor(onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined) {
    this.#onDiagnostic = onDiagnostic;
  }

  /** Reports an event. `kind` is the same for events that are counted together; `details` are those of this one. */
  add(id: ListenerReport, kind: string, details = ""): void {
    if (this.#onDiagnostic === undefined) return;
    const known = this.#more.get(kind);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    if (this.#more.size === 0) startTimer(1_000, () => this.#nextSecond());
    this.#more.set(kind, { id, count: 0 });
    this.#tell(id, details === "" ? kind : `${kind}: ${details}`);
  }

  /** Reports a caller that is refused, at `place`, such as `GET /acp`. */
  refused({ status, message, details }: Refusal, place: string): void {
    const where = place.slice(0, maxPlace);
    this.add("listener.refused", `${status} ${message}`, details === undefined ? where : `${details} (${where})`);
  }

  #nextSecond(): void {
    const more = [...this.#more];
    this.#more.clear();
    for (const [kind, { id, count }] of more) if (count > 0) this.#tell(id, `${kind}: ${count} more in this second`);
  }

  #tell(id: ListenerReport, message: string): void {
    try {
      this.#onDiagnostic?.({ id, method: undefined, message });
    } catch {
      // The listener is the application's; its error must not cost another caller its answer.
    }
  }
}
