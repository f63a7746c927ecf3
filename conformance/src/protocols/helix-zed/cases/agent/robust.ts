import type { Case } from "../../../../core/run/case.js";
import { type TaggedExample, type TaggedFacts, taggedCases } from "../../../../packs/tagged.js";
import { accept } from "../../accept.js";
import type { AgentContext } from "../../agent-role.js";
import { takesParams } from "../../samples.js";
import { table } from "../../table.js";

type Json = Record<string, unknown>;
const text = "conf:text {}";

/** A chat_message, and when one is wrong that is read as real hosts write it. */
const example = (params: Json): TaggedExample => ({
  method: "chat_message",
  params: { helix_session_id: "ses_odd", message: text, request_id: "req_odd", ...params },
  isValid: (data) => takesParams("chat_message", accept("chat_message", "params", data)),
});

/** Fields of real hosts that the specification does not have. */
const moreFields = {
  agent_name: "zed-agent",
  interrupt: false,
  from_queue: true,
  is_continue: false,
  interaction_id: "int_1",
  track_code_changes: true,
};

const facts: TaggedFacts<AgentContext> = {
  prefix: "helix-zed.agent",
  role: "agent",
  peer: "host",
  table,
  requirements: {
    frames: "HELIX-ROBUST-001",
    types: "HELIX-ROBUST-002",
    bodies: "HELIX-ROBUST-003",
    more: "HELIX-ROBUST-004",
  },
  tag: "type",
  body: "data",
  needs: ["text"],
  unknown: { completed: "message_completed" },
  examples: {
    "first-message": example({ acp_thread_id: null }),
    message: example({ acp_thread_id: "no-such-thread" }),
  },
  message: (type, data) => ({ type, data }),
  // Each has a request of its own, so that the answers of agents that take some of them can be told apart.
  prepare: (t) => Promise.resolve({ helix_session_id: t.session(), request_id: t.request() }),
  async handled(t, { data, ...beside }) {
    const fields = data as Json;
    const more = { acp_thread_id: null, session_id: fields["helix_session_id"], message: t.say("text") };
    const turn = t.odd({ ...moreFields, ...fields, ...more }, beside);
    await turn.added();
    await turn.completed();
  },
  works: (t) => t.works(),
  said: (t, { request_id }) => t.rest().filter(({ params }) => params["request_id"] === request_id),
};

/** Cases about messages that an agent must survive. */
export const robustCases: readonly Case[] = taggedCases(facts);
