import type { Diagnostic } from "./peer.js";

/** The part of a method that a value belongs to. */
export type Part = "params" | "result";

/** A form that real peers send although the protocol does not allow it, and its repair. */
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
  /** The value in the protocol's form. Absent if the value can be used unchanged. */
  repair?(value: unknown): unknown;
}

type Rewrite = (value: unknown) => unknown;

/** The wire forms of one method that differ from the model, in one direction. */
export type Rewrites = Readonly<Record<string, { readonly [K in Part]?: Rewrite | undefined }>>;

/** The data that a `Profile` consists of. */
interface Dialect {
  /** Names the dialect in logs and command lines. No code compares it. */
  readonly name: string;
  /** Rewrites an outgoing value, already valid, to this dialect's form. */
  readonly encode?: Rewrites | undefined;
  /** Reads this dialect's own form into the model. */
  readonly decode?: Rewrites | undefined;
  /** Reads rarer forms of this dialect: only values that do not fit after `decode`, so the others do not pay for it. */
  readonly decodeUnfit?: Rewrites | undefined;
  /** Forms of other dialects and of faulty peers. */
  readonly deviations?: readonly Deviation[] | undefined;
}

/**
 * A dialect of one protocol, as data: how the model is written on the wire, the deviations that are repaired on the way
 * in, and the `traits` that change a binding's behavior. A copy with another name behaves like the original. A protocol
 * that has traits types them, as in `Profile<AcpTraits>`, and they are then required.
 */
export type Profile<Traits = unknown> = Dialect &
  (unknown extends Traits ? { readonly traits?: unknown } : { readonly traits: Traits });

/** Detects the peer's dialect while a connection runs. */
export interface ProfileFinder {
  /** The profile by which the next value is read or written. */
  readonly found: Profile;
  /** Called with each received value, unchanged, before it is read. */
  look(method: string, part: Part, value: unknown): void;
}

/** Returns a detector unchanged, and a fixed profile as a detector of this profile. */
export function finderOf(profile: Profile | ProfileFinder): ProfileFinder {
  return "found" in profile ? profile : { found: profile, look() {} };
}

/** Applies the rewrite of one direction to a value, if there is one for the method, which must be in the protocol. */
export function rewrite(rewrites: Rewrites | undefined, method: string, part: Part, value: unknown): unknown {
  const change = rewrites?.[method]?.[part];
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
