/** A reference peer that is broken in one way: the proof that a check can fail. */
export interface Mutant {
  /** `<protocol>.<role>/<what-is-wrong>`. */
  readonly id: string;
  /** The role of the reference that it breaks. */
  readonly role: string;
  /**
   * Requirements that it violates: one of their checks must fail. Empty for a benign variant, which must pass
   * everything.
   */
  readonly violates: readonly string[];
  /**
   * Requirements whose checks may fail with it. Any other failure means that a check judges more than its requirement.
   */
  readonly collateral?: readonly string[] | undefined;
  /** Cases to run; default: those that emit what is violated, and the smoke cases. */
  readonly cases?: readonly string[] | undefined;
  /**
   * Overrides of the reference's switches; a function makes new ones for every connection, for overrides that keep
   * state.
   */
  readonly patch?: Patch | (() => Patch) | undefined;
  /** Overrides of the HTTP side; with them the mutant is run over HTTP. */
  readonly http?: Patch | undefined;
  /** The profile that it is judged in; default: the protocol's first. */
  readonly profile?: string | undefined;
  /** Run with the scripted model behind the reference. */
  readonly model?: boolean | undefined;
}

/** Overrides of a reference's switches. */
export type Patch = Readonly<Record<string, unknown>>;

/** A mutant's overrides for one connection. */
export function patchOf({ patch }: Mutant): Patch {
  return typeof patch === "function" ? patch() : (patch ?? {});
}

/** Declares a mutant. */
export function mutant(id: string, rest: Omit<Mutant, "id" | "role">): Mutant {
  const role = /^[^.]+\.([^/]+)\//.exec(id)?.[1];
  if (role === undefined) throw new TypeError(`mutant ${id}: expected an id like "acp.agent/cancel-ignored"`);
  return { id, role, ...rest };
}
