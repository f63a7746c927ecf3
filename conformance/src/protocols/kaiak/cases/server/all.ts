import type { Case } from "../../../../core/run/case.js";
import { strayAnswerCases, twiceAtOnceCases } from "../../../../packs/at-once.js";
import { idCases } from "../../../../packs/ids.js";
import { malformedCases } from "../../../../packs/malformed.js";
import { twoTurnCases } from "../../../../packs/turns.js";
import { wrongKindCases } from "../../../../packs/wrong-kind.js";
import { serverFacts, serverRuns } from "../../server-facts.js";
import { askCases } from "./ask.js";
import { configureCases } from "./configure.js";
import { fixCases } from "./fix.js";
import { sessionCases } from "./session.js";
import { wireCases } from "./wire.js";

/** Every case for servers. */
export const serverCases: readonly Case[] = [
  ...configureCases,
  ...fixCases,
  ...sessionCases,
  ...askCases,
  ...wireCases,
  ...malformedCases(serverFacts),
  ...wrongKindCases(serverFacts),
  ...idCases(serverFacts),
  ...twoTurnCases(serverRuns),
  ...strayAnswerCases(serverFacts),
  ...twiceAtOnceCases(serverFacts),
];
