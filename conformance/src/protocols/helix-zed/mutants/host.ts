import type { Mutant } from "../../../core/mutant.js";
import { benignMutants } from "./host-benign.js";
import { linkMutants } from "./host-link.js";
import { readMutants } from "./host-read.js";
import { sendMutants } from "./host-send.js";
import { stateMutants } from "./host-state.js";

/** Every broken host, and the odd ones that are right. */
export const hostMutants: readonly Mutant[] = [
  ...sendMutants,
  ...stateMutants,
  ...readMutants,
  ...linkMutants,
  ...benignMutants,
];
