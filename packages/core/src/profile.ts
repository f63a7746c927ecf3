import type { Diagnostic } from "./peer.js";

/** Which half of a method a value is. */
export type Part = "params" | "result";

/** What a real peer sends that the protocol does not allow, and what is made of it. */
export interface Deviation {
  /** Stable id, such as `C3`. */
  readonly id: string;
  /** One sentence: what is sent. */
  readonly summary: string;
  /** Which programs were seen sending it. */
  readonly seen: string;
  readonly methods: readonly string[];
  readonly part: Part;
  matches(value: unknown): boolean;
  /** The value as the protocol has it. Left out where the value is usable as it is. */
  repair?(value: unknown): unknown;
}

type Rewrite = (value: unknown) => unknown;

/** The wire forms of one method that differ from the model, in one direction. */
export type Rewrites = Readonly<Record<string, { readonly [K in Part]?: Rewrite | undefined }>>;

/** How the values of one dialect are written and read. */
interface Dialect {
  /** Names the dialect in logs and command lines. No code compares it. */
  readonly name: string;
  /** Rewrites an outgoing value, already valid, to this dialect's form. */
  readonly encode?: Rewrites | undefined;
  /** Reads this dialect's own form into the model. */
  readonly decode?: Rewrites | undefined;
  /** Forms of other dialects and of faulty peers. */
  readonly deviations?: readonly Deviation[] | undefined;
}

/**
 * A dialect of one protocol, as data: how the model is written on the wire, what is forgiven on the way in, and the
 * `traits` by which a binding behaves differently. A copy with another name behaves like the original. A protocol
 * that has traits types them, as in `Profile<AcpTraits>`, and they are then required.
 */
export type Profile<Traits = unknown> = Dialect &
  (unknown extends Traits ? { readonly traits?: unknown } : { readonly traits: Traits });

/** Finds out while a connection runs which dialect the peer speaks. */
export interface ProfileFinder {
  /** The profile by which the next value is read or written. */
  readonly found: Profile;
  /** Called with each received value, as it came, before it is read. */
  look(method: string, part: Part, value: unknown): void;
}

/** A finder as it is; a fixed profile as the finder that has found it. */
export function finderOf(profile: Profile | ProfileFinder): ProfileFinder {
  return "found" in profile ? profile : { found: profile, look() {} };
}

/** Applies one direction's rewrite, if the method has one. */
export function rewrite(rewrites: Rewrites | undefined, method: string, part: Part, value: unknown): unknown {
  if (rewrites === undefined || !Object.hasOwn(rewrites, method)) return value;
  const change = rewrites[method]?.[part];
  return change === undefined ? value : change(value);
}

/** The rows that match a value, in the table's order. */
export function deviationsOf(profile: Profile, method: string, part: Part, value: unknown): Deviation[] {
  return (profile.deviations ?? []).filter(
    (row) => row.part === part && row.methods.includes(method) && row.matches(value),
  );
}

/** Repairs a value row by row, so that a later row sees what an earlier one made of it. */
export function repair(
  profile: Profile,
  method: string,
  part: Part,
  value: unknown,
  report: (diagnostic: Diagnostic) => void,
): unknown {
  let repaired = value;
  for (const row of profile.deviations ?? []) {
    if (row.repair === undefined || row.part !== part || !row.methods.includes(method) || !row.matches(repaired))
      continue;
    repaired = row.repair(repaired);
    report({ id: row.id, method, message: row.summary });
  }
  return repaired;
}
