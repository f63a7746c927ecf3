import type { Case } from "../../../../core/case.js";
import { idCases } from "../../../../packs/ids.js";
import { malformedCases } from "../../../../packs/malformed.js";
import { twoTurnCases } from "../../../../packs/turns.js";
import { wrongKindCases } from "../../../../packs/wrong-kind.js";
import { serverFacts, serverTurns } from "../../server-facts.js";
import { chatCases } from "./chat.js";
import { lifeCases } from "./life.js";
import { v2026Cases } from "./v2026.js";
import { toolCases } from "./tools.js";
import { wireCases } from "./wire.js";

/** Every case for servers. */
export const serverCases: readonly Case[] = [
  ...lifeCases,
  ...chatCases,
  ...toolCases,
  ...wireCases,
  ...v2026Cases,
  ...malformedCases(serverFacts),
  ...wrongKindCases(serverFacts),
  ...idCases(serverFacts),
  ...twoTurnCases(serverTurns),
];
