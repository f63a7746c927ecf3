import { rowsOfEach } from "./run/rows.js";

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
  /** Decisions of the reference in the mutant's dialect; any program that speaks this dialect has made them, too. */
  readonly dialect?: Patch | undefined;
  /** Replaced decisions of the HTTP side; with them, the mutant runs over HTTP. */
  readonly http?: Patch | undefined;
  /** Replaced decisions of the WebSocket side; with them, the mutant runs over a WebSocket. */
  readonly webSocket?: Patch | undefined;
  /** The profile that it is judged in; default: the protocol's first. */
  readonly profile?: string | undefined;
  /** Runs the reference with the scripted model. */
  readonly model?: boolean | undefined;
}

/** Replaced decisions of a reference. */
export type Patch = Readonly<Record<string, unknown>>;

/** A mutant's replaced decisions for one connection, without those of its dialect. */
export function ownPatchOf({ patch }: Mutant): Patch {
  return typeof patch === "function" ? patch() : (patch ?? {});
}

/** All of a mutant's replaced decisions for one connection. */
export function patchOf(mutant: Mutant): Patch {
  return { ...mutant.dialect, ...ownPatchOf(mutant) };
}

/** Declares a mutant. */
export function mutant(id: string, rest: Omit<Mutant, "id" | "role">): Mutant {
  const role = /^[^.]+\.([^/]+)\//.exec(id)?.[1];
  if (role === undefined) throw new TypeError(`mutant ${id}: expected an id like "acp.agent/cancel-ignored"`);
  return { id, role, ...rest };
}

/** A row of a table of mutants: what it violates, the decisions that it replaces, and what else it may have. */
export type MutantRow<Behavior> = readonly [
  violates: string | readonly string[],
  patch: Switches<Behavior>,
  more?: Pick<Mutant, "collateral" | "cases" | "http" | "webSocket" | "profile" | "model">,
];

/** Replaced decisions of a reference, checked by the compiler; a function makes those that keep state. */
export type Switches<Behavior> = Partial<Behavior> | (() => Partial<Behavior>);

/** How the mutants of one role are declared, each by its name. */
export interface MutantTables<Behavior> {
  /** Mutants that violate something. `shared` is what the rows have that do not say otherwise. */
  broken(rows: Readonly<Record<string, MutantRow<Behavior>>>, shared?: MutantRow<Behavior>[2]): readonly Mutant[];
  /** The rows of `broken` that differ in one thing only, to be spread among its other rows. */
  each<Item>(
    items: readonly Item[],
    rowsOf: (item: Item, index: number) => Readonly<Record<string, MutantRow<Behavior>>>,
  ): Readonly<Record<string, MutantRow<Behavior>>>;
  /** Variants as right as the reference, which must pass every case; `benign-` stands before their names. */
  benign(rows: Readonly<Record<string, Switches<Behavior>>>): readonly Mutant[];
}

/**
 * Makes the tables of one role. Rows name requirements without `requirements`, such as `ECA`, and cases without
 * `prefix`, such as `eca.server`, which the mutants' ids begin with, too. With `dialect`, mutants also replace its
 * decisions, and are judged in its profile, if it has one.
 */
export function mutantsOf<Behavior>(
  prefix: string,
  requirements: string,
  dialect?: { readonly profile?: string; readonly patch: Partial<Behavior> },
): MutantTables<Behavior> {
  const inDialect = dialect && { profile: dialect.profile, dialect: dialect.patch };
  const full = (list: readonly string[]): string[] => list.map((id) => `${requirements}-${id}`);
  return {
    broken: (rows, shared) =>
      Object.entries(rows).map(([name, [violates, patch, more]]) => {
        const { collateral, cases, ...rest } = { ...shared, ...more };
        return mutant(`${prefix}/${name}`, {
          ...rest,
          violates: full([violates].flat()),
          collateral: collateral && full(collateral),
          cases: cases?.map((id) => `${prefix}.${id}`),
          ...inDialect,
          patch,
        });
      }),
    each: rowsOfEach,
    benign: (rows) =>
      Object.entries(rows).map(([name, patch]) =>
        mutant(`${prefix}/benign-${name}`, { violates: [], cases: ["*"], ...inDialect, patch }),
      ),
  };
}
