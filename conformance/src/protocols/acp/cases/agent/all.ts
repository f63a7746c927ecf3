import type { Case } from "../../../../core/case.js";
import { answerCases } from "../../../../packs/answers.js";
import { idCases } from "../../../../packs/ids.js";
import { malformedCases } from "../../../../packs/malformed.js";
import { twoTurnCases } from "../../../../packs/turns.js";
import { wrongKindCases } from "../../../../packs/wrong-kind.js";
import { agentFacts, agentTurns, answerRequirement } from "../../agent-facts.js";
import { cancelCases } from "./cancel.js";
import { disturbedCases } from "./disturbed.js";
import { framingCases } from "./framing.js";
import { httpCases } from "./http.js";
import { httpDisturbedCases } from "./http-disturbed.js";
import { initializeCases } from "./initialize.js";
import { modeCases } from "./mode.js";
import { modelCases } from "./model.js";
import { permissionCases } from "./permission.js";
import { rpcCases } from "./rpc.js";
import { sessionCases } from "./session.js";
import { turnCases } from "./turn.js";
import { updateCases } from "./update.js";
import { v1Cases } from "./v1.js";

/** Every case for agents. */
export const agentCases: readonly Case[] = [
  ...initializeCases,
  ...sessionCases,
  ...answerCases(agentFacts, "client", answerRequirement),
  ...modeCases,
  ...turnCases,
  ...updateCases,
  ...cancelCases,
  ...permissionCases,
  ...rpcCases,
  ...framingCases,
  ...httpCases,
  ...httpDisturbedCases,
  ...malformedCases(agentFacts),
  ...wrongKindCases(agentFacts),
  ...idCases(agentFacts),
  ...twoTurnCases(agentTurns),
  ...disturbedCases,
  ...modelCases,
  ...v1Cases,
];
