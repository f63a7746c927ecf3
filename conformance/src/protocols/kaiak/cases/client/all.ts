import type { Case } from "../../../../core/case.js";
import { runCases } from "./run.js";
import { wireCases } from "./wire.js";

/** Every case for clients. */
export const clientCases: readonly Case[] = [...runCases, ...wireCases];
