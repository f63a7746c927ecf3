import type { Mutant } from "../../../core/mutant.js";
import { benignAgents } from "./agent-benign.js";
import { formMutants } from "./agent-form.js";
import { linkMutants } from "./agent-link.js";
import { v2026Mutants } from "./agent-v2026.js";
import { threadMutants } from "./agent-thread.js";
import { turnMutants } from "./agent-turn.js";

/** Every broken agent, and the odd ones that are right. */
export const agentMutants: readonly Mutant[] = [
  ...formMutants,
  ...linkMutants,
  ...threadMutants,
  ...turnMutants,
  ...v2026Mutants,
  ...benignAgents,
];
