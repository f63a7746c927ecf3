import type { Case } from "../../../../core/case.js";

/** Every case for agents. */
export const agentCases: readonly Case[] = [];
