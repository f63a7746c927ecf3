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
   * The replaced decisions of the reference. For decisions that keep state, a function creates them for each
   * connection.
   */
  readonly patch?: Patch | (() => Patch) | undefined;
  /** Replaced decisions of the HTTP side; with them, the mutant runs over HTTP. */
  readonly http?: Patch | undefined;
  /** Replaced decisions of the WebSocket side of a client; with them, the mutant runs over a WebSocket. */
  readonly webSocket?: Patch | undefined;
  /** The profile that it is judged in; default: the protocol's first. */
  readonly profile?: string | undefined;
  /** Runs the reference with the scripted model. */
  readonly model?: boolean | undefined;
}

/** Replaced decisions of a reference. */
export type Patch = Readonly<Record<string, unknown>>;

/** A mutant's replaced decisions for one connection. */
export function patchOf({ patch }: Mutant): Patch {
  return typeof patch === "function" ? patch() : (patch ?? {});
}

/** Declares a mutant. */
export function mutant(id: string, rest: Omit<Mutant, "id" | "role">): Mutant {
  const role = /^[^.]+\.([^/]+)\//.exec(id)?.[1];
  if (role === undefined) throw new TypeError(`mutant ${id}: expected an id like "acp.agent/cancel-ignored"`);
  return { id, role, ...rest };
}
