import type { Deviation, Part } from "@editwire/core";
import type { Places } from "./places.js";
import type { Change } from "./rewrites.js";

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
