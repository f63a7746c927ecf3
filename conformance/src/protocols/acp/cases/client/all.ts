import type { Case } from "../../../../core/run/case.js";
import { callCases } from "../../../../packs/calls.js";
import { idCases } from "../../../../packs/ids.js";
import { malformedCases } from "../../../../packs/malformed.js";
import { malformedNotificationCases } from "../../../../packs/notifications.js";
import { sendCases } from "../../../../packs/sends.js";
import { twoTurnCases } from "../../../../packs/turns.js";
import { wrongKindCases } from "../../../../packs/wrong-kind.js";
import { clientAnswers, clientCalls, clientFacts, clientTurns, clientUpdates } from "../../client-facts.js";
import { cancelCases } from "./cancel.js";
import { fileCases } from "./files.js";
import { framingCases } from "./framing.js";
import { httpCases } from "./http.js";
import { initializeCases } from "./initialize.js";
import { permissionCases } from "./permission.js";
import { questionCases } from "./questions.js";
import { remoteCases } from "./remote.js";
import { rpcCases } from "./rpc.js";
import { sessionCases } from "./session.js";
import { terminalCases } from "./terminals.js";
import { turnCases } from "./turn.js";
import { updateCases } from "./update.js";
import { v1Cases } from "./v1.js";

/** Every case for clients. */
export const clientCases: readonly Case[] = [
  ...initializeCases,
  ...sessionCases,
  ...sendCases(clientFacts),
  ...turnCases,
  ...cancelCases,
  ...permissionCases,
  ...rpcCases,
  ...updateCases,
  ...framingCases,
  ...httpCases,
  ...remoteCases,
  ...v1Cases,
  ...fileCases,
  ...terminalCases,
  ...questionCases,
  ...malformedCases(clientAnswers),
  ...wrongKindCases(clientAnswers),
  ...idCases(clientAnswers),
  ...malformedNotificationCases(clientUpdates),
  ...callCases(clientCalls),
  ...twoTurnCases(clientTurns),
];
