import type { CaseContext } from "./context.js";
import { rowsOfEach } from "./rows.js";

/** The facts about a case that are known without running it. */
export interface CaseHeader {
  /** `<protocol>.<role>.<area>.<name>`. */
  readonly id: string;
  /** The role of the target. */
  readonly role: string;
  readonly title: string;
  /** Every requirement that the case judges in each run; one that it did not judge is `blocked`. */
  readonly emits: readonly string[];
  /** Behaviors that the target must show on request; a run leaves out the cases whose behaviors it does not have. */
  readonly needs?: readonly string[] | undefined;
  /**
   * The case judges what a turn must do whatever is said in it, so that a target without behaviors gets plain prompts
   * instead.
   */
  readonly plain?: boolean | undefined;
  /**
   * `session` (default): the case may share a connection with other cases, and uses only its own sessions.
   * `rough`: the case could disturb other cases, and leaves the target working. On stdio it shares a process with other
   * rough cases; elsewhere it gets a new connection.
   * `unopened`: the same before the handshake.
   * `last`: the case ends the connection. On stdio it gets a process that no other case needs any longer, so it runs
   * behind all others; elsewhere it gets a new connection.
   * `connection`: the case gets a new connection without a handshake.
   */
  readonly isolation?: "session" | "rough" | "unopened" | "last" | "connection" | undefined;
  /** Transports that the case applies to; default: all. */
  readonly transports?: readonly string[] | undefined;
  /** Framing of the messages that the suite sends; default: the run's. Another one forces a new connection. */
  readonly framing?: "line" | "header" | undefined;
  /** Faults of the byte stream, as on the command line. Forces a new connection. */
  readonly faults?: readonly string[] | undefined;
  /** The case may share a connection with cases that have the same faults; set by the fault axis. */
  readonly shares?: boolean | undefined;
  /** Milliseconds that one wait may take, before scaling. Default 5000; 20,000 for `unopened`: a process starts. */
  readonly deadline?: number | undefined;
  /** The case runs first, and is also run against every mutant. */
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

/** A case in the table of its role, where it stands under the end of its id. */
export type CaseRow<Context extends CaseContext> = Omit<CaseHeader, "id" | "role"> & Pick<Case<Context>, "run">;

/** Rows of a table of cases, each under the end of its id. */
export type CaseRows<Context extends CaseContext> = Readonly<Record<string, CaseRow<Context>>>;

/** Declares cases of one role. */
export interface DefineCases<Context extends CaseContext> {
  /** `shared` is what rows have that do not say otherwise. */
  (rows: CaseRows<Context>, shared?: Partial<CaseHeader>): readonly Case<Context>[];
  /** Rows that differ in one thing only, to be spread among the others. */
  each<Item>(items: readonly Item[], rowsOf: (item: Item, index: number) => CaseRows<Context>): CaseRows<Context>;
}

/** Makes what declares the cases of one role. `prefix` is what their ids begin with: `<protocol>.<role>`. */
export function casesOf<Context extends CaseContext>(prefix: string): DefineCases<Context> {
  const role = prefix.slice(prefix.indexOf(".") + 1);
  const declare = (rows: CaseRows<Context>, shared?: Partial<CaseHeader>): readonly Case<Context>[] =>
    Object.entries(rows).map(([name, row]) => ({ ...shared, ...row, id: `${prefix}.${name}`, role }));
  return Object.assign(declare, { each: rowsOfEach });
}
