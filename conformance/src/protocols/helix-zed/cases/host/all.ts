import type { Case } from "../../../../core/run/case.js";
import { v2026Cases } from "./v2026.js";
import { linkCases } from "./link.js";
import { readCases } from "./read.js";
import { robustCases } from "./robust.js";
import { sendCases } from "./send.js";
import { stateCases } from "./state.js";

/** Every case for hosts. */
export const hostCases: readonly Case[] = [
  ...sendCases,
  ...stateCases,
  ...readCases,
  ...robustCases,
  ...linkCases,
  ...v2026Cases,
];
