import { alsoInV1 } from "../in-v1.js";
import { v1Agent } from "../../reference/v1.js";
import type { Mutant } from "../../../../core/mutant.js";
import { idMutants } from "../../../../packs/mutants.js";
import { agentFacts } from "../../agent-facts.js";
import { benignAgents } from "./benign.js";
import { disturbedMutants } from "./disturbed.js";
import { generatedMutants } from "./generated.js";
import { httpMutants } from "./http.js";
import { lifeMutants } from "./life.js";
import { malformedMutants } from "./malformed.js";
import { patch } from "./patch.js";
import { permissionMutants } from "./permission.js";
import { agentTurnMutants } from "./turn.js";
import { agentUpdateMutants } from "./update.js";
import { overlookedMutants } from "./overlooked.js";
import { remoteMutants } from "./remote.js";
import { v1Mutants } from "./v1.js";
import { agentWireMutants } from "./wire.js";

const own: readonly Mutant[] = [
  ...lifeMutants,
  ...agentTurnMutants,
  ...permissionMutants,
  ...agentUpdateMutants,
  ...agentWireMutants,
  ...malformedMutants,
  ...disturbedMutants,
  ...httpMutants,
  ...generatedMutants,
  ...idMutants(agentFacts, "ACP-RPC-003", (outgoing) => patch({ outgoing })),
  ...v1Mutants,
  ...remoteMutants,
  ...overlookedMutants,
  ...benignAgents,
];

/** Broken in the same way in the official dialect. */
const again = [
  "indented-json",
  "banner-on-stdout",
  "goes-on-with-the-model",
  "demands-clientinfo",
  "takes-batches",
  "wire-error-as-string",
  "reports-answers-as-unknown",
  "every-answer-twice",
  "one-id-for-all",
  "unknown-method-succeeds",
  "answers-notifications",
  "zero-is-no-id",
  "wire-initialize-protocolVersion-missing",
  "wire-initialize-agentCapabilities-string",
  "wire-session-new-sessionId-missing",
  "wire-session-load-string",
  "wire-session-prompt-stopReason-missing",
  "wire-session-set-mode-string",
  "wire-permission-options-missing",
  "wire-agent-message-chunk-update-missing",
  "opens-no-session",
  "one-session-for-all",
  "empty-cwd",
  "wire-session-load-unanswered",
  "loaded-sessions-are-dead",
  "forgets-every-turn",
  "one-memory-for-all",
  "forgets-what-it-loads",
  "loads-in-relative-cwd",
  "takes-no-mcp-servers",
  "turns-without-answer",
  "max-tokens-ends-as-end-turn",
  "refuses-links",
  "refuses-images",
  "one-turn-per-session",
  "one-turn-in-all",
  "cancel-ends-as-end-turn",
  "cancel-does-not-end-permission",
  "misses-early-cancels",
  "cancel-ends-all-turns",
  "sets-no-mode-during-a-turn",
  "tools-without-beginning",
  "failed-tools-do-not-end",
  "repeats-tool-ids",
] as const;

/** Agents that are broken in one way each, and some that are not. */
export const agentMutants: readonly Mutant[] = [...own, ...alsoInV1(own, again, v1Agent)];
