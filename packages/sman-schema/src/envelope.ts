import type { Envelope } from "@editwire/core";

/**
 * The two envelopes. A `TOOL_CALL` has its fields at the root; a `TOOL_RESULT` and the messages of the profile `v2`
 * have theirs in `data`. The backend stamps its messages, except `TOOL_CALL`, with the time. Fields at the other level
 * are read too: earlier and later versions of sman had them there.
 */
export const smanEnvelope: Envelope<"backend" | "plugin"> = {
  backend: {
    form: { name: "type", params: "data", time: "timestamp" },
    except: {
      TOOL_CALL: { name: "type", marks: ["toolCallId", "callId", "tool_call_id", "toolName", "params", "parameters"] },
    },
    tolerated: [{ name: "type", params: "data" }],
  },
  plugin: { form: { name: "type", params: "data" }, tolerated: [{ name: "type" }] },
};
