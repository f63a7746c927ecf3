import type { Deviation, Part } from "./profile.js";
import type { Change } from "./rewrites.js";

/** Applies a change at every place of one kind in a method's params or result. */
export type Place = (value: unknown, change: Change) => unknown;
/** The places of one kind, by method. */
export type Places = Readonly<Record<string, Place>>;

/** What a row of the deviations table says about itself. */
interface Facts {
  readonly id: string;
  readonly summary: string;
  readonly seen: string;
  /** Where it occurs. */
  readonly at: Places;
  /** Default `params`. */
  readonly part?: Part;
}

/** Rows that make what the model refuses fit it: one a method, each matching where `change` would change something. */
export function repaired({ at, part = "params", ...facts }: Facts, change: Change): Deviation[] {
  return Object.entries(at).map(([method, place]) => ({
    ...facts,
    part,
    methods: [method],
    matches: (value) => place(value, change) !== value,
    repair: (value) => place(value, change),
  }));
}

/** Rows about what the model takes as it is but the dialect does not allow; they only count in strict mode. */
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
