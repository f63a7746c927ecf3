import type { Mutant, Patch } from "../../../core/mutant.js";

/**
 * Mutants of the specification's dialect that are broken in the same way in the official one, where other sentences say
 * so. `base` is what the reference does in that dialect.
 */
export function alsoInV1(mutants: readonly Mutant[], names: readonly string[], base: Patch): readonly Mutant[] {
  return names.map((name) => {
    const found = mutants.find(({ id }) => id.endsWith(`/${name}`));
    if (found === undefined) throw new TypeError(`there is no mutant ${name}`);
    return { ...found, id: found.id.replace("/", "/in-v1-"), profile: "v1", dialect: base };
  });
}
