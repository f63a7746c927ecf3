import type { Case } from "../../../../core/case.js";
import { chatCases } from "./chat.js";
import { lifeCases } from "./life.js";
import { v2026Cases } from "./v2026.js";
import { toolCases } from "./tools.js";
import { wireCases } from "./wire.js";

/** Every case for servers. */
export const serverCases: readonly Case[] = [...lifeCases, ...chatCases, ...toolCases, ...wireCases, ...v2026Cases];
