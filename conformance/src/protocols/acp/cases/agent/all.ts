import type { Case } from "../../../../core/case.js";
import { cancelCases } from "./cancel.js";
import { disturbedCases } from "./disturbed.js";
import { initializeCases } from "./initialize.js";
import { malformedCases } from "./malformed.js";
import { modelCases } from "./model.js";
import { wrongKindCases } from "./wrong-kind.js";

/** Every case for agents. */
export const agentCases: readonly Case[] = [...initializeCases, ...cancelCases, ...malformedCases, ...wrongKindCases, ...disturbedCases, ...modelCases];
