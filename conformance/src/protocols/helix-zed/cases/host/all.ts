import type { Case } from "../../../../core/case.js";
import { addedCases } from "./added.js";
import { linkCases } from "./link.js";
import { readCases } from "./read.js";
import { sendCases } from "./send.js";
import { stateCases } from "./state.js";

/** Every case for hosts. */
export const hostCases: readonly Case[] = [...sendCases, ...stateCases, ...readCases, ...linkCases, ...addedCases];
