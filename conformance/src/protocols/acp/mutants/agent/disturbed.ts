import { mutant, type Mutant } from "../../../../core/mutant.js";
import { type AgentBehavior, type Json, rightAgent } from "../../reference/agent-behavior.js";
import { chunkReader } from "../readers.js";
import { silencedAfter } from "./silenced.js";
import { patch } from "./patch.js";

/** Agents that fail on disturbed streams. */
export const disturbedMutants: readonly Mutant[] = [
  mutant("acp.agent/one-chunk-is-one-message", {
    violates: ["ACP-FRAME-005"],
    patch: patch({ reader: () => chunkReader() }),
  }),
  mutant("acp.agent/falls-silent-on-noise", {
    violates: ["ACP-RPC-008", "ACP-RPC-009", "ACP-ROBUST-006"],
    patch: silencedAfter((provoke) => ({
      notJson() {
        provoke(0);
        return [];
      },
    })),
  }),
  mutant("acp.agent/falls-silent-after-noise", {
    violates: ["ACP-RPC-009"],
    patch: silencedAfter((provoke) => ({
      notJson(problem) {
        provoke(1);
        return rightAgent.notJson(problem);
      },
    })),
  }),
  mutant("acp.agent/falls-silent-on-bad-header", {
    violates: ["ACP-ROBUST-006"],
    patch: silencedAfter((provoke) => ({
      notJson(problem) {
        if (!problem.includes("header")) return rightAgent.notJson(problem);
        provoke(0);
        return [];
      },
    })),
  }),
  mutant("acp.agent/small-buffer", {
    violates: ["ACP-ROBUST-002"],
    patch: silencedAfter((provoke) => ({
      incoming(chunk) {
        if (chunk.length > 500_000) provoke(0);
        return chunk;
      },
    })),
  }),
  mutant("acp.agent/shallow-stack", {
    violates: ["ACP-ROBUST-003"],
    patch: silencedAfter((provoke) => ({
      incoming(chunk) {
        if (Buffer.from(chunk).includes("[".repeat(500))) provoke(0);
        return chunk;
      },
    })),
  }),
  mutant("acp.agent/outlives-its-input", {
    violates: ["ACP-ROBUST-004"],
    cases: ["acp.agent.disturbed.input-ends-between-messages"],
    patch: patch({ endsWithInput: () => false }),
  }),
  mutant("acp.agent/one-broken-connection-breaks-all", {
    violates: ["ACP-ROBUST-005"],
    cases: ["acp.agent.disturbed.input-ends-within-line"],
    patch: breaksAll(),
  }),
];

/** One state for all connections: this is what is wrong with it. */
function breaksAll(): Partial<AgentBehavior> {
  let down = false;
  return {
    endsWithInput(broken) {
      down ||= broken;
      return true;
    },
    outgoing: (message: Json) =>
      down && JSON.stringify(message).includes("_conformance/alive") ? [] : rightAgent.outgoing(message),
  };
}
