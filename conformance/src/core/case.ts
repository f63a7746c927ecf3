import type { CaseContext } from "./context.js";

/** What is known of a case without running it. */
export interface CaseHeader {
  /** `<protocol>.<role>.<area>.<name>`. */
  readonly id: string;
  /** The role of the target. */
  readonly role: string;
  readonly title: string;
  /** Every requirement that it judges, each time: one that is missing at the end is `blocked`. */
  readonly emits: readonly string[];
  /** Behaviors that the target has to show on demand; without them the case is blocked. */
  readonly needs?: readonly string[] | undefined;
  /**
   * `session` (default): may share a connection with other cases, and touches sessions of its own only.
   * `connection`: gets a fresh one, without a handshake.
   */
  readonly isolation?: "session" | "connection" | undefined;
  /** Transports that it is about; default: all. */
  readonly transports?: readonly string[] | undefined;
  /** Framing of what the suite sends; default: the run's. Forces a fresh connection. */
  readonly framing?: "line" | "header" | undefined;
  /** Faults on the wire, as on the command line. Forces a fresh connection. */
  readonly faults?: readonly string[] | undefined;
  /** May share a connection with others that have the same faults; set by the fault axis. */
  readonly shares?: boolean | undefined;
  /** Milliseconds that one wait may take, before scaling. Default 5000. */
  readonly deadline?: number | undefined;
  /** Runs first, and as a guard beside every mutant. */
  readonly smoke?: boolean | undefined;
}

/** A scripted conversation with the target. */
export interface Case<Context extends CaseContext = CaseContext> extends CaseHeader {
  /** Written as a method so that a case for a protocol's own context is a `Case`. */
  run(t: Context): Promise<void>;
}

/** Declares a case; the header is data, so that listing and tracing need no execution. */
export function defineCase<Context extends CaseContext>(
  header: CaseHeader,
  run: (t: Context) => Promise<void>,
): Case<Context> {
  return { ...header, run };
}
