import type { Case } from "../../../../core/run/case.js";
import { linkCases } from "./link.js";
import { v2026Cases } from "./v2026.js";
import { robustCases } from "./robust.js";
import { threadCases } from "./thread.js";
import { turnCases } from "./turn.js";

/** Every case for agents. */
export const agentCases: readonly Case[] = [...threadCases, ...turnCases, ...robustCases, ...linkCases, ...v2026Cases];
