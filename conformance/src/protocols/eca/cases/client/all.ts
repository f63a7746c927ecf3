import type { Case } from "../../../../core/case.js";
import { queryCases } from "./query.js";
import { v2026Cases } from "./v2026.js";
import { turnCases } from "./turn.js";
import { wireCases } from "./wire.js";

/** Every case for clients. */
export const clientCases: readonly Case[] = [...turnCases, ...queryCases, ...wireCases, ...v2026Cases];
