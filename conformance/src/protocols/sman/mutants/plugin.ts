import type { Mutant } from "../../../core/mutant.js";
import { changeMutants } from "./plugin-change.js";
import { searchMutants } from "./plugin-search.js";
import { wireMutants } from "./plugin-wire.js";

/** Every mutant of the reference plugin. */
export const pluginMutants: readonly Mutant[] = [...wireMutants, ...searchMutants, ...changeMutants];
