import type { Mutant } from "../../../../core/mutant.js";
import { idMutants } from "../../../../packs/mutants.js";
import { agentFacts } from "../../agent-facts.js";
import { benignAgents } from "./benign.js";
import { disturbedMutants } from "./disturbed.js";
import { generatedMutants } from "./generated.js";
import { httpMutants } from "./http.js";
import { lifeMutants } from "./life.js";
import { malformedMutants } from "./malformed.js";
import { patch } from "./patch.js";
import { permissionMutants } from "./permission.js";
import { agentTurnMutants } from "./turn.js";
import { agentUpdateMutants } from "./update.js";
import { v1Mutants } from "./v1.js";
import { agentWireMutants } from "./wire.js";

/** Agents that are broken in one way each, and some that are not. */
export const agentMutants: readonly Mutant[] = [
  ...lifeMutants,
  ...agentTurnMutants,
  ...permissionMutants,
  ...agentUpdateMutants,
  ...agentWireMutants,
  ...malformedMutants,
  ...disturbedMutants,
  ...httpMutants,
  ...generatedMutants,
  ...idMutants(agentFacts, "ACP-RPC-003", (outgoing) => patch({ outgoing })),
  ...v1Mutants,
  ...benignAgents,
];
