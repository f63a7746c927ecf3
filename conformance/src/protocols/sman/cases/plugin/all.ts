import type { Case } from "../../../../core/run/case.js";
import { callCases, failureCases } from "./calls.js";
import { chainCases } from "./chain.js";
import { changeCases } from "./change.js";
import { linkCases } from "./link.js";
import { pathCasesOfAll } from "./paths.js";
import { readCases } from "./read.js";
import { robustCases } from "./robust.js";
import { v2Cases } from "./v2.js";
import { searchCases } from "./search.js";

/** Every case for plugins. */
export const pluginCases: readonly Case[] = [
  ...callCases,
  ...failureCases,
  ...searchCases,
  ...readCases,
  ...chainCases,
  ...changeCases,
  ...pathCasesOfAll,
  ...linkCases,
  ...robustCases,
  ...v2Cases,
];
