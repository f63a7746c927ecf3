import type { Case } from "../../../../core/run/case.js";
import { answerCases } from "../../../../packs/answers.js";
import { callCases } from "../../../../packs/calls.js";
import { idCases } from "../../../../packs/ids.js";
import { malformedCases } from "../../../../packs/malformed.js";
import { malformedNotificationCases } from "../../../../packs/notifications.js";
import { twoTurnCases } from "../../../../packs/turns.js";
import { wrongKindCases } from "../../../../packs/wrong-kind.js";
import {
  agentCalls,
  agentFacts,
  answerFacts,
  agentNotifications,
  agentTurns,
  answerRequirement,
} from "../../agent-facts.js";
import { cancelCases } from "./cancel.js";
import { disturbedCases } from "./disturbed.js";
import { framingCases } from "./framing.js";
import { httpCases } from "./http.js";
import { httpDisturbedCases } from "./http-disturbed.js";
import { initializeCases } from "./initialize.js";
import { modeCases } from "./mode.js";
import { modelCases } from "./model.js";
import { permissionCases } from "./permission.js";
import { remoteCases } from "./remote.js";
import { rpcCases } from "./rpc.js";
import { serviceCases } from "./services.js";
import { sessionCases } from "./session.js";
import { turnCases } from "./turn.js";
import { updateCases } from "./update.js";
import { v1Cases } from "./v1.js";

/** Every case for agents. */
export const agentCases: readonly Case[] = [
  ...initializeCases,
  ...sessionCases,
  ...answerCases(answerFacts, "client", answerRequirement),
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
  ...callCases(agentCalls),
  ...malformedNotificationCases(agentNotifications),
  ...disturbedCases,
  ...modelCases,
  ...v1Cases,
  ...serviceCases,
  ...remoteCases,
];
