import type { Case } from "../../../../core/case.js";
import { linkCases } from "./link.js";
import { newerCases } from "./newer.js";
import { robustCases } from "./robust.js";
import { threadCases } from "./thread.js";
import { turnCases } from "./turn.js";

/** Every case for agents. */
export const agentCases: readonly Case[] = [...threadCases, ...turnCases, ...robustCases, ...linkCases, ...newerCases];
