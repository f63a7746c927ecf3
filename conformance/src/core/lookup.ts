import type { Lookup } from "./check.js";
import { HarnessError } from "./errors.js";
import type { Registry } from "./registry.js";

/** Finds requirements by id. An unknown id is a bug of the suite. */
export function lookupIn({ byId }: Registry): Lookup {
  return (id) => {
    const row = byId.get(id);
    if (row === undefined) throw new HarnessError(`unknown requirement ${id}`);
    return row;
  };
}
