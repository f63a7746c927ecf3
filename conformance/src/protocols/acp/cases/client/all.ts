import type { Case } from "../../../../core/case.js";

/** Every case for clients. */
export const clientCases: readonly Case[] = [];
