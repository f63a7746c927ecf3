import type { Deviation, Part } from "./profile.js";
import type { Change } from "./rewrites.js";

/** Applies a change at every place of one kind in a method's params or result. */
export type Place = (value: unknown, change: Change) => unknown;
/** The places of one kind, by method. */
export type Places = Readonly<Record<string, Place>>;

/** The header of a row of the deviations table. */
interface Facts {
  readonly id: string;
  readonly summary: string;
  readonly seen: string;
  /** The methods in which it occurs. */
  readonly at: Places;
  /** Default `params`. */
  readonly part?: Part;
}

/**
 * Rows that repair values which the model refuses: one per method. A row matches if `change` would change something.
 */
export function repaired({ at, part = "params", ...facts }: Facts, change: Change): Deviation[] {
  return Object.entries(at).map(([method, place]) => ({
    ...facts,
    part,
    methods: [method],
    matches: (value) => place(value, change) !== value,
    repair: (value) => place(value, change),
  }));
}

/** Rows for values that the model accepts but the dialect does not allow; only strict mode refuses them. */
export function kept({ at, part = "params", ...facts }: Facts, deviates: (value: unknown) => boolean): Deviation[] {
  return Object.entries(at).map(([method, place]) => ({
    ...facts,
    part,
    methods: [method],
    matches(value) {
      let found = false;
      place(value, (item) => {
        found ||= deviates(item);
        return item;
      });
      return found;
    },
  }));
}
