import type { Mutant } from "../../../../core/mutant.js";
import { type AgentBehavior, type Json, rightAgent } from "../../reference/agent-behavior.js";
import { chunkReader } from "../readers.js";
import { silencedAfter } from "./silenced.js";
import { broken } from "./patch.js";

/** Agents that fail on disturbed streams. */
export const disturbedMutants: readonly Mutant[] = broken({
  "one-chunk-is-one-message": ["FRAME-005", { reader: () => chunkReader() }],
  "falls-silent-after-noise": [
    "RPC-009",
    silencedAfter((provoke) => ({
      notJson(problem) {
        provoke(1);
        return rightAgent.notJson(problem);
      },
    })),
  ],
  "falls-silent-on-bad-header": [
    "ROBUST-006",
    silencedAfter((provoke) => ({
      notJson(problem) {
        if (!problem.includes("header")) return rightAgent.notJson(problem);
        provoke(0);
        return [];
      },
    })),
  ],
  "small-buffer": [
    "ROBUST-002",
    silencedAfter((provoke) => ({
      incoming(chunk) {
        if (chunk.length > 500_000) provoke(0);
        return chunk;
      },
    })),
  ],
  "shallow-stack": [
    "ROBUST-003",
    silencedAfter((provoke) => ({
      incoming(chunk) {
        if (Buffer.from(chunk).includes("[".repeat(500))) provoke(0);
        return chunk;
      },
    })),
  ],
  "outlives-its-input": [
    "ROBUST-004",
    { endsWithInput: () => false },
    { cases: ["disturbed.input-ends-between-messages"] },
  ],
  "one-broken-connection-breaks-all": ["ROBUST-005", breaksAll(), { cases: ["disturbed.input-ends-within-line"] }],
});

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
