import type { Envelope } from "@editwire/core";

/**
 * The two envelopes: `{ type, data }` from the host, `{ session_id, event_type, data }` from the agent. `{ type, data
 * }` is also read from agents, as a later text of the protocol had it.
 */
export const helixZedEnvelope: Envelope<"host" | "agent"> = {
  host: { form: { name: "type", params: "data" } },
  agent: {
    form: { name: "event_type", params: "data", beside: ["session_id"] },
    tolerated: [{ name: "type", params: "data" }],
  },
};
