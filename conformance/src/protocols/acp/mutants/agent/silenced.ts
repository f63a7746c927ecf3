import type { AgentBehavior, Json } from "../../reference/agent-behavior.js";

/** Switches of an agent that sends a fixed number of messages after `provoke`, and then none. */
export function silencedAfter(
  make: (provoke: (left: number) => void) => Partial<AgentBehavior>,
): () => Partial<AgentBehavior> {
  return () => {
    let left = Number.POSITIVE_INFINITY;
    return { outgoing: (message: Json) => (left-- > 0 ? [message] : []), ...make((more) => void (left = more)) };
  };
}
