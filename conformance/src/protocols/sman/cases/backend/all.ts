import type { Case } from "../../../../core/run/case.js";
import { callCases, matchCases } from "./calls.js";
import { linkCases } from "./link.js";
import { resultCases } from "./results.js";
import { robustCases } from "./robust.js";
import { v2Cases } from "./v2.js";

/** Every case for backends. */
export const backendCases: readonly Case[] = [
  ...callCases,
  ...matchCases,
  ...resultCases,
  ...linkCases,
  ...robustCases,
  ...v2Cases,
];
