/**
 * The level of a requirement: a violated `must` fails the run, a `should` warns (and fails with `strict`), a `may` is
 * reported.
 */
export type Level = "must" | "should" | "may";

/**
 * Where a requirement comes from: a sentence of the specification says it (`stated`), it follows from several sentences
 * (`inferred`), or the specification does not mention it and real peers need it (`interop`).
 */
export const bases = ["stated", "inferred", "interop"] as const;

/** Where a requirement comes from. */
export type Basis = (typeof bases)[number];

/** The judge of a requirement. `none` needs a reason in `excluded`. */
export type Oracle = "case" | "monitor" | "vector" | "none";

/** An anchor in the pinned spec, and the quoted words. */
export interface Quote {
  /** Anchor of a statement, such as `5.1:t2r1`. */
  readonly at: string;
  /** The exact words of a statement or of a part of it. */
  readonly text: string;
  /** The role that it binds, where the requirement binds both. Default: the requirement's. */
  readonly role?: string | undefined;
  /** Mutants that violate just this quote of the requirement. */
  readonly mutants?: readonly string[] | undefined;
  /** The anchor of another quote of the requirement that says the same, so that no mutant can violate just this one. */
  readonly repeats?: string | undefined;
}

/** One thing that an implementation must, should or may do. */
export interface Requirement {
  /** `<PROTOCOL>-<AREA>-<number>`, never reused. */
  readonly id: string;
  readonly level: Level;
  readonly basis: Basis;
  /** The role that can violate it, or `both`. */
  readonly role: string;
  /** One sentence for reports. */
  readonly text: string;
  readonly quotes: readonly Quote[];
  /** Sentences of documents that the specification refers to, such as JSON-RPC 2.0. */
  readonly cites: readonly string[];
  readonly oracle: Oracle;
  /** The reason why nothing judges it. */
  readonly excluded?: string | undefined;
  /** Profiles that it applies to; empty: all. */
  readonly profiles: readonly string[];
  /** Transports that it applies to; empty: all. */
  readonly transports: readonly string[];
  /** Its ids in other documents. */
  readonly aka: readonly string[];
  /** The statements of other documents about it, by the profile that they define. */
  readonly in?: Readonly<Record<string, Restated>> | undefined;
}

/** A requirement in the words of another document. */
export interface Restated extends Pick<Requirement, "basis" | "quotes"> {
  /** Default: that of the requirement. */
  readonly level?: Level | undefined;
}

const needs: Readonly<Record<Level, string>> = {
  must: "needed by real peers",
  should: "better for real peers",
  may: "seen in real peers",
};

/**
 * Describes how hard a requirement binds, for people. A need of real peers is no "must": the specification does not
 * demand it, and may even contradict it.
 */
export function levelText({ level, basis }: Pick<Requirement, "level" | "basis">): string {
  if (basis === "interop") return `${needs[level]} (interop)`;
  return basis === "stated" ? level : `${level} (${basis})`;
}

/** The verdict for a violation of a requirement. */
export function violationOf({ level }: Pick<Requirement, "level">): "fail" | "warn" | "info" {
  return level === "must" ? "fail" : level === "should" ? "warn" : "info";
}
