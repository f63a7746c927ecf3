import type { Case } from "../../../../core/case.js";

/** Every case for hosts. */
export const hostCases: readonly Case[] = [];
