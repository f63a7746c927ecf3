import { mutant } from "../../../../core/mutant.js";
import { type AgentBehaviour, rightAgent } from "../../reference/agent-behaviour.js";

import { disturbedMutants } from "./disturbed.js";
import { httpMutants } from "./http.js";
import { malformedMutants } from "./malformed.js";

const patch = (switches: Partial<AgentBehaviour>): Partial<AgentBehaviour> => switches;

/** Agents that are broken in one way each. */
export const agentMutants = [
  mutant("acp.agent/version-as-string", {
    violates: ["ACP-SCHEMA-initialize:result"],
    patch: patch({ initializeResult: (params) => ({ ...(rightAgent.initializeResult(params) as object), protocolVersion: "1" }) }),
  }),
  mutant("acp.agent/other-version", {
    violates: ["ACP-INIT-001"],
    patch: patch({ initializeResult: (params) => ({ ...(rightAgent.initializeResult(params) as object), protocolVersion: 2 }) }),
  }),
  mutant("acp.agent/cancel-ends-as-end-turn", {
    violates: ["ACP-CANCEL-002"],
    collateral: ["ACP-CANCEL-001", "ACP-UPDATE-005"],
    patch: patch({ stopReason: (reason) => (reason === "cancelled" ? "end_turn" : reason) }),
  }),
  mutant("acp.agent/ids-as-strings", {
    violates: ["ACP-RPC-003"],
    patch: patch({ outgoing: (message) => ["method" in message ? message : { ...message, id: String(message["id"]) }] }),
  }),
  mutant("acp.agent/every-answer-twice", {
    violates: ["ACP-RPC-004"],
    patch: patch({ outgoing: (message) => ("method" in message ? [message] : [message, message]) }),
  }),
  mutant("acp.agent/banner-on-stdout", {
    violates: ["ACP-FRAME-001"],
    patch: patch({ encode: (message, framing) => Buffer.concat([Buffer.from("working...\n"), rightAgent.encode(message, framing)]) }),
  }),
  ...malformedMutants,
  ...disturbedMutants,
  ...httpMutants,
];
