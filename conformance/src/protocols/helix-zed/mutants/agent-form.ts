import { without } from "../../../packs/rewrites.js";
import type { Mutant } from "../../../core/mutant.js";
import { type AgentBehavior, event, rightAgent } from "../reference/agent-behavior.js";
import { beside, broken, each, data, patch, told } from "./agent-patch.js";

const id = "thread-x";
const events = ["context_created", "message_added", "message_completed"];

/** Frames and envelopes. */
const frames = broken({
  binary: ["FRAME-001", { encode: (said) => Buffer.from(JSON.stringify(said)) }],
  "no-json": ["FRAME-001", { encode: (said) => `${JSON.stringify(said)}}` }],
  ...each(events, (name) => ({
    [`no-name-for-${name}`]: [
      "FRAME-002",
      told(name, (said) => [without(said, "event_type")]),
      { collateral: ["THREAD-002"] },
    ],
  })),
  "root-timestamp": ["FRAME-003", { outgoing: (said) => [{ ...said, timestamp: 1_759_410_084 }] }],
});

const readyWith = (more: object): Partial<AgentBehavior> =>
  patch({ hello: (to) => [event(to, "agent_ready", { agent_name: "reference", ...more })] });

/** Values in another form. */
const forms = broken({
  ...each(events, (name) => ({
    [`no-session-in-${name}`]: ["FORM-no-session", told(name, (said) => [without(said, "session_id")])],
    [`context-id-in-${name}`]: [
      "FORM-context-id",
      data(name, ({ acp_thread_id, ...more }) => ({ ...more, context_id: acp_thread_id })),
      { collateral: ["THREAD-007"] },
    ],
  })),
  "thread-created": [
    "FORM-thread-created",
    told("context_created", (said) => [{ ...said, event_type: "thread_created" }]),
  ],
  "fourth-event": ["FORM-type", beside("message_done", { acp_thread_id: "x" })],
  "own-thread-ids": ["FORM-uuid", { threadId: (count) => `Thread no. ${count} / ${"ü".repeat(300)}` }],
  "session-once": ["FORM-session-twice", data("context_created", (more) => without(more, "helix_session_id"))],
  "two-sessions-at-once": [
    "FORM-session-twice",
    data("context_created", (more) => ({ ...more, helix_session_id: "ses_x" })),
    { collateral: ["THREAD-004"] },
  ],
  ...each(["message_added", "message_completed"], (name) => ({
    [`no-message-id-in-${name}`]: [
      "FORM-message-id",
      data(name, (more) => without(more, "message_id")),
      { collateral: ["TURN-009"] },
    ],
  })),
  "no-request": [
    "FORM-no-request",
    told("message_completed", (said) => [
      { ...said, data: without(said["data"] as Record<string, unknown>, "request_id") },
      said,
    ]),
  ],
  "no-role": ["FORM-no-role", data("message_added", (more) => without(more, "role"))],
  "role-is-user": ["FORM-other-role", data("message_added", (more) => ({ ...more, role: "user" }))],
  "no-timestamp": ["FORM-timestamp", data("message_added", (more) => without(more, "timestamp"))],
  "ready-without-thread": ["FORM-no-thread-id", readyWith({})],
});

/**
 * Messages that are not valid. A message whose thread cannot be read counts as a message of a thread without a name.
 */
const schemas = broken({
  ...each(events, (name) => ({
    [`session-of-${name}-is-a-list`]: [
      `SCHEMA-${name}:params`,
      told(name, (said) => [{ ...said, session_id: [said["session_id"]] }]),
    ],
  })),
  ...each(
    [
      ["message_added", "message_id"],
      ["message_completed", "message_id"],
      ["message_completed", "request_id"],
    ],
    ([name = "", field = ""]) => ({
      [`${field}-of-${name}-is-a-list`]: [
        `SCHEMA-${name}:params`,
        data(name, (more) => ({ ...more, [field]: [more[field]] })),
      ],
    }),
  ),
  "context-of-number": [
    "SCHEMA-context_created:params",
    data("context_created", (more) => ({ ...more, acp_thread_id: 7 })),
    { collateral: ["THREAD-002"] },
  ],
  "no-content": ["SCHEMA-message_added:params", data("message_added", (more) => without(more, "content"))],
  "unknown-role": ["SCHEMA-message_added:params", data("message_added", (more) => ({ ...more, role: "tool" }))],
  "added-to-nothing": [
    "SCHEMA-message_added:params",
    data("message_added", (more) => ({ ...more, acp_thread_id: "" })),
  ],
  "completes-nothing": [
    "SCHEMA-message_completed:params",
    data("message_completed", (more) => without(more, "acp_thread_id")),
  ],
  "usage-is-text": ["FORM-addition", data("message_completed", (more) => ({ ...more, usage: "12" }))],
  "thread-of-nothing": ["SCHEMA-thread_created:params", beside("thread_created", { request_id: "req_x" })],
  "ready-without-name": ["SCHEMA-agent_ready:params", readyWith({ agent_name: null, thread_id: null })],
  "user-thread-of-nothing": ["SCHEMA-user_created_thread:params", beside("user_created_thread", { title: "x" })],
  "no-title": ["SCHEMA-thread_title_changed:params", beside("thread_title_changed", { acp_thread_id: id })],
  "load-error-without-text": [
    "SCHEMA-thread_load_error:params",
    beside("thread_load_error", { acp_thread_id: id, request_id: "req_x" }),
  ],
  "error-without-request": ["SCHEMA-chat_response_error:params", beside("chat_response_error", { error: "x" })],
  "unknown-status": ["SCHEMA-turn_cancelled:params", beside("turn_cancelled", { request_id: "req_x", status: "gone" })],
  "response-without-content": ["SCHEMA-chat_response:params", beside("chat_response", { request_id: "req_x" })],
  "chunk-of-nothing": ["SCHEMA-chat_response_chunk:params", beside("chat_response_chunk", { request_id: "req_x" })],
  "done-with-nothing": ["SCHEMA-chat_response_done:params", beside("chat_response_done", {})],
  "updates-without-thread": ["SCHEMA-message_updated:params", beside("message_updated", { message_id: "1" })],
  "no-new-title": [
    "SCHEMA-context_title_changed:params",
    beside("context_title_changed", { context_id: id, title: "x" }),
  ],
  "ui-state-without-view": [
    "SCHEMA-ui_state_response:params",
    beside("ui_state_response", { query_id: "q", entry_count: 0 }),
  ],
  "ping-of-text": [
    "SCHEMA-ping:params",
    { hello: (to) => [...rightAgent.hello(to, []), event(to, "ping", { timestamp: "now" })] },
  ],
});

/** Agents whose messages are wrong by themselves. */
export const formMutants: readonly Mutant[] = [...frames, ...forms, ...schemas];
