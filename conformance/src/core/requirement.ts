/**
 * How hard a requirement binds: a violated `must` fails the run, a `should` warns (and fails with `strict`), a `may` is
 * reported.
 */
export type Level = "must" | "should" | "may";

/**
 * Where a requirement comes from: a sentence of the specification says it (`stated`), it follows from several
 * sentences (`inferred`), or the specification is silent and real peers need it (`interop`).
 */
export const bases = ["stated", "inferred", "interop"] as const;

/** Where a requirement comes from. */
export type Basis = (typeof bases)[number];

/** Who judges a requirement. `none` needs a reason in `excluded`. */
export type Oracle = "case" | "monitor" | "vector" | "none";

/** A place in the pinned spec, and the words there. */
export interface Quote {
  /** Anchor of a statement, such as `5.1:t2r1`. */
  readonly at: string;
  /** Verbatim, a whole statement or a part of one. */
  readonly text: string;
}

/** One thing that an implementation must, should or may do. */
export interface Requirement {
  /** `<PROTOCOL>-<AREA>-<number>`, never reused. */
  readonly id: string;
  readonly level: Level;
  readonly basis: Basis;
  /** The role that can violate it, or `both`. */
  readonly role: string;
  /** One sentence that a report can print. */
  readonly text: string;
  readonly quotes: readonly Quote[];
  /** Sentences of documents that the specification makes its own, such as JSON-RPC 2.0. */
  readonly cites: readonly string[];
  readonly oracle: Oracle;
  /** Why nobody judges it. */
  readonly excluded?: string | undefined;
  /** Profiles that it belongs to; empty means all. */
  readonly profiles: readonly string[];
  /** Transports that it is about; empty means all. */
  readonly transports: readonly string[];
  /** Ids that other documents have for it. */
  readonly aka: readonly string[];
}

/** The verdict that a violation of a requirement earns. */
export function violationOf({ level }: Pick<Requirement, "level">): "fail" | "warn" | "info" {
  return level === "must" ? "fail" : level === "should" ? "warn" : "info";
}
