import type { Case } from "../../../../core/run/case.js";
import { callCases } from "../../../../packs/calls.js";
import { idCases } from "../../../../packs/ids.js";
import { malformedNotificationCases } from "../../../../packs/notifications.js";
import { twoTurnCases } from "../../../../packs/turns.js";
import { wrongKindCases } from "../../../../packs/wrong-kind.js";
import { clientAnswers, clientCalls, clientNotes, clientRuns } from "../../client-facts.js";
import { runCases } from "./run.js";
import { wireCases } from "./wire.js";

/** Every case for clients. */
export const clientCases: readonly Case[] = [
  ...runCases,
  ...wireCases,
  ...wrongKindCases(clientAnswers),
  ...idCases(clientAnswers),
  ...malformedNotificationCases(clientNotes),
  ...callCases(clientCalls),
  ...twoTurnCases(clientRuns),
];
