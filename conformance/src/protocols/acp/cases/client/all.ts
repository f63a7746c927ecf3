import type { Case } from "../../../../core/case.js";
import { cancelCases } from "./cancel.js";

/** Every case for clients. */
export const clientCases: readonly Case[] = [...cancelCases];
