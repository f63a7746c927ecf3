/** The outside of one role's messages; a `Forms` of `@editwire/tagged`. */
interface HelixZedForms {
  readonly form: { readonly name: string; readonly params: string; readonly beside?: readonly string[] };
  readonly tolerated?: readonly { readonly name: string; readonly params: string }[];
}

/**
 * The two envelopes: `{ type, data }` from the host, `{ session_id, event_type, data }` from the agent. `{ type, data }` is also
 * read from agents, as a later text of the protocol had it.
 */
export const helixZedEnvelope: Readonly<Record<"host" | "agent", HelixZedForms>> = {
  host: { form: { name: "type", params: "data" } },
  agent: {
    form: { name: "event_type", params: "data", beside: ["session_id"] },
    tolerated: [{ name: "type", params: "data" }],
  },
};
