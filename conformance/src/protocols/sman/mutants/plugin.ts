import type { Mutant } from "../../../core/mutant.js";
import { toolMutants } from "./plugin-tools.js";
import { wireMutants } from "./plugin-wire.js";

/** Every mutant of the reference plugin. */
export const pluginMutants: readonly Mutant[] = [...wireMutants, ...toolMutants];
