import type { AgentBehaviour, Json } from "../../reference/agent-behaviour.js";

/** Switches of an agent that says so many messages more and then nothing, once `provoke` was called. */
export function falling(
  make: (provoke: (left: number) => void) => Partial<AgentBehaviour>,
): () => Partial<AgentBehaviour> {
  return () => {
    let left = Number.POSITIVE_INFINITY;
    return { outgoing: (message: Json) => (left-- > 0 ? [message] : []), ...make((more) => void (left = more)) };
  };
}
