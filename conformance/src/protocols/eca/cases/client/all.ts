import type { Case } from "../../../../core/case.js";
import { queryCases } from "./query.js";
import { todayCases } from "./today.js";
import { turnCases } from "./turn.js";
import { wireCases } from "./wire.js";

/** Every case for clients. */
export const clientCases: readonly Case[] = [...turnCases, ...queryCases, ...wireCases, ...todayCases];
