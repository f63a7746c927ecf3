import type { Case } from "../../../../core/case.js";
import { answerCases } from "../../../../packs/answers.js";
import { agentFacts, answerRequirement } from "../../agent-facts.js";
import { cancelCases } from "./cancel.js";
import { disturbedCases } from "./disturbed.js";
import { framingCases } from "./framing.js";
import { httpCases } from "./http.js";
import { httpDisturbedCases } from "./http-disturbed.js";
import { initializeCases } from "./initialize.js";
import { malformedCases } from "./malformed.js";
import { modeCases } from "./mode.js";
import { modelCases } from "./model.js";
import { permissionCases } from "./permission.js";
import { rpcCases } from "./rpc.js";
import { sessionCases } from "./session.js";
import { turnCases } from "./turn.js";
import { updateCases } from "./update.js";
import { wrongKindCases } from "./wrong-kind.js";

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
  ...malformedCases,
  ...wrongKindCases,
  ...disturbedCases,
  ...modelCases,
];
