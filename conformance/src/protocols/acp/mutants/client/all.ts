import type { Mutant } from "../../../../core/mutant.js";
import { benignClients } from "./benign.js";
import { httpClientMutants } from "./http.js";
import { packMutants } from "./packs.js";
import { lifeMutants } from "./life.js";
import { updateMutants } from "./update.js";
import { v1Mutants } from "./v1.js";
import { wireMutants } from "./wire.js";

/** Clients that are broken in one way each, and some that are not. */
export const clientMutants: readonly Mutant[] = [
  ...lifeMutants,
  ...wireMutants,
  ...updateMutants,
  ...packMutants,
  ...httpClientMutants,
  ...v1Mutants,
  ...benignClients,
];
