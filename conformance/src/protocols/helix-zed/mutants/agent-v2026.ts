import { type Mutant, mutantsOf } from "../../../core/mutant.js";
import { type AgentBehavior, type Json, rightAgent, v2026Agent } from "../reference/agent-behavior.js";
import { dataOf, told } from "./agent-patch.js";

const { broken } = mutantsOf<AgentBehavior>("helix-zed.agent", "HELIX", { patch: v2026Agent });

const changed = (name: string, change: Json): Partial<AgentBehavior> =>
  told(name, (said) => [{ ...said, data: { ...dataOf(said), ...change } }]);

/** Agents that are wrong about what the 2026 dialect has beside the specification. */
export const v2026Mutants: readonly Mutant[] = broken({
  "v2026-never-ready": ["READY-001", { hello: () => [] }],
  "v2026-load-error-of-another": ["LOAD-001", changed("thread_load_error", { request_id: "req_x" })],
  "v2026-cancels-as-noop": [
    "CANCEL-001",
    { cancelled: (_turn, request, id) => v2026Agent.cancelled(undefined, request, id) },
  ],
  "v2026-noop-as-cancelled": ["CANCEL-002", changed("turn_cancelled", { status: "cancelled" })],
  "v2026-fails-as-complete": ["ERROR-001", { finished: rightAgent.finished }],
  "v2026-never-interrupts": ["INTERRUPT-001", { interrupts: false }],
});
