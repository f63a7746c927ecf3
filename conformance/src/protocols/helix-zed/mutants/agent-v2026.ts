import { mutant, type Mutant } from "../../../core/mutant.js";
import { type AgentBehavior, type Json, v2026Agent, rightAgent } from "../reference/agent-behavior.js";
import { dataOf, patch, told } from "./agent-patch.js";

/** An agent of 2026 that is wrong about one thing. */
const broken = (name: string, violates: string, switches: Partial<AgentBehavior>): Mutant =>
  mutant(`helix-zed.agent/v2026-${name}`, { violates: [`HELIX-${violates}`], patch: { ...v2026Agent, ...switches } });

const changed = (name: string, change: Json): Partial<AgentBehavior> =>
  told(name, (said) => [{ ...said, data: { ...dataOf(said), ...change } }]);

/** Agents that are wrong about what the 2026 dialect has beside the specification. */
export const v2026Mutants: readonly Mutant[] = [
  broken("never-ready", "READY-001", patch({ hello: () => [] })),
  broken("takes-any-thread", "LOAD-001", patch({ unknownThread: () => undefined })),
  broken("load-error-of-another", "LOAD-001", changed("thread_load_error", { request_id: "req_x" })),
  broken(
    "never-cancels",
    "CANCEL-001",
    patch({ cancelled: (turn, request, id) => (turn === undefined ? v2026Agent.cancelled(turn, request, id) : []) }),
  ),
  broken(
    "cancels-as-noop",
    "CANCEL-001",
    patch({ cancelled: (_turn, request, id) => v2026Agent.cancelled(undefined, request, id) }),
  ),
  broken(
    "cancels-twice",
    "CANCEL-001",
    patch({
      cancelled: (turn, request, id) => [
        ...v2026Agent.cancelled(turn, request, id),
        ...(turn === undefined ? [] : v2026Agent.cancelled(turn, request, id)),
      ],
    }),
  ),
  broken(
    "no-word-on-noop",
    "CANCEL-002",
    patch({ cancelled: (turn, request, id) => (turn === undefined ? [] : v2026Agent.cancelled(turn, request, id)) }),
  ),
  broken("noop-as-cancelled", "CANCEL-002", changed("turn_cancelled", { status: "cancelled" })),
  broken("fails-as-complete", "ERROR-001", patch({ finished: rightAgent.finished })),
  broken(
    "fails-and-completes",
    "ERROR-001",
    patch({
      finished: (turn, failed) => [
        ...v2026Agent.finished(turn, failed),
        ...(failed ? rightAgent.finished(turn, failed) : []),
      ],
    }),
  ),
  broken("never-interrupts", "INTERRUPT-001", patch({ interrupts: false })),
];
