import type { Case } from "../../../../core/run/case.js";
import { strayAnswerCases, twiceAtOnceCases } from "../../../../packs/at-once.js";
import { idCases } from "../../../../packs/ids.js";
import { malformedCases } from "../../../../packs/malformed.js";
import { malformedNotificationCases } from "../../../../packs/notifications.js";
import { twoTurnCases } from "../../../../packs/turns.js";
import { wrongKindCases } from "../../../../packs/wrong-kind.js";
import { serverFacts, serverNews, serverTurns } from "../../server-facts.js";
import { chatCases } from "./chat.js";
import { queryCases } from "./query.js";
import { lifeCases } from "./life.js";
import { v2026Cases } from "./v2026.js";
import { toolCases } from "./tools.js";
import { wireCases } from "./wire.js";

/** Every case for servers. */
export const serverCases: readonly Case[] = [
  ...lifeCases,
  ...chatCases,
  ...queryCases,
  ...toolCases,
  ...wireCases,
  ...v2026Cases,
  ...malformedCases(serverFacts),
  ...wrongKindCases(serverFacts),
  ...idCases(serverFacts),
  ...twoTurnCases(serverTurns),
  ...malformedNotificationCases(serverNews),
  ...strayAnswerCases(serverFacts),
  ...twiceAtOnceCases(serverFacts),
];
