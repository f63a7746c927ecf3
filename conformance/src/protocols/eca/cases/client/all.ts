import type { Case } from "../../../../core/run/case.js";
import { callCases } from "../../../../packs/calls.js";
import { idCases } from "../../../../packs/ids.js";
import { malformedNotificationCases } from "../../../../packs/notifications.js";
import { twoTurnCases } from "../../../../packs/turns.js";
import { wrongKindCases } from "../../../../packs/wrong-kind.js";
import { clientAnswers, clientCalls, clientNews, clientTurns } from "../../client-facts.js";
import { queryCases } from "./query.js";
import { v2026Cases } from "./v2026.js";
import { toolCases } from "./tools.js";
import { turnCases } from "./turn.js";
import { wireCases } from "./wire.js";

/** Every case for clients. */
export const clientCases: readonly Case[] = [
  ...turnCases,
  ...toolCases,
  ...queryCases,
  ...wireCases,
  ...v2026Cases,
  ...wrongKindCases(clientAnswers),
  ...idCases(clientAnswers),
  ...malformedNotificationCases(clientNews),
  ...callCases(clientCalls),
  ...twoTurnCases(clientTurns),
];
