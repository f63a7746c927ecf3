import { startTimer } from "@editwire/core/timers";
import type { Call } from "./call.js";
import type { Reports } from "./reports.js";

/** Seconds after which a reply that still waits for its turn is reported. */
const reportedAfterSeconds = 10;

/**
 * The calls whose reply has arrived and waits for its turn. If a handler awaits such a call, and the reply waits for
 * that handler, neither finishes. Code cannot distinguish this from a slow handler, so a long wait is reported.
 */
export class HeldReplies {
  readonly #reports: Reports;
  /** The functions that stop the timers of the calls; created for the first call. */
  #timers: Map<Call, () => void> | undefined;

  constructor(reports: Reports) {
    this.#reports = reports;
  }

  add(call: Call): void {
    const report = (): void =>
      this.#reports.diagnostic(
        "peer.reply-waits",
        call.method,
        `the reply came ${reportedAfterSeconds} s ago and waits for handlers of notifications that came before it; ` +
          'a handler that awaits this call waits forever, unless the call is made with settle: "now"',
      );
    (this.#timers ??= new Map()).set(call, startTimer(reportedAfterSeconds * 1_000, report));
  }

  remove(call: Call): void {
    this.#timers?.get(call)?.();
    this.#timers?.delete(call);
  }

  /** True when the reply to the call waits. */
  has(call: Call): boolean {
    return this.#timers?.has(call) === true;
  }

  calls(): Iterable<Call> {
    return this.#timers?.keys() ?? [];
  }
}
