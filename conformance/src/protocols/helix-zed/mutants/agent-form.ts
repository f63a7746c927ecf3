import { mutant, type Mutant } from "../../../core/mutant.js";
import { type AgentBehavior, event, rightAgent } from "../reference/agent-behavior.js";
import { beside, data, patch, told, without } from "./agent-patch.js";

const broken = (
  name: string,
  violates: string,
  switches: Partial<AgentBehavior>,
  collateral: readonly string[] = [],
): Mutant =>
  mutant(`helix-zed.agent/${name}`, {
    violates: [`HELIX-${violates}`],
    collateral: collateral.map((id) => `HELIX-${id}`),
    patch: switches,
  });
const form = (id: string, name: string, switches: Partial<AgentBehavior>, collateral: readonly string[] = []): Mutant =>
  broken(name, `FORM-${id}`, switches, collateral);
const schema = (
  method: string,
  name: string,
  switches: Partial<AgentBehavior>,
  collateral: readonly string[] = [],
): Mutant => broken(name, `SCHEMA-${method}:params`, switches, collateral);
const id = "thread-x";
const events = ["context_created", "message_added", "message_completed"];

/** Frames and envelopes. */
const frames = [
  broken("binary", "FRAME-001", patch({ encode: (said) => Buffer.from(JSON.stringify(said)) })),
  broken("no-json", "FRAME-001", patch({ encode: (said) => `${JSON.stringify(said)}}` })),
  broken("two-in-one", "FRAME-001", patch({ encode: (said) => `${JSON.stringify(said)}\n{}` })),
  broken("lists", "FRAME-001", patch({ outgoing: (said) => [[said]] })),
  broken(
    "greeting",
    "FRAME-001",
    patch({
      hello: () => [event("", "hello", {})],
      encode: (said) => JSON.stringify(said).replace(/^.*hello.*$/, "hello"),
    }),
  ),
  broken(
    "hosts-envelope",
    "FRAME-002",
    patch({
      outgoing: ({ session_id, event_type, data: more }) => [
        { type: event_type, data: { session_id, ...(more as object) } },
      ],
    }),
  ),
  ...events.map((name) =>
    broken(
      `no-name-for-${name}`,
      "FRAME-002",
      told(name, (said) => [without(said, "event_type")]),
      ["THREAD-002"],
    ),
  ),
  broken("name-is-number", "FRAME-002", patch({ outgoing: (said) => [{ ...said, event_type: 7 }] })),
  broken("data-is-list", "FRAME-002", patch({ outgoing: (said) => [{ ...said, data: [said["data"]] }] })),
  broken("flat", "FRAME-002", patch({ outgoing: ({ data: more, ...said }) => [{ ...said, ...(more as object) }] }), [
    "FRAME-003",
  ]),
  broken("root-timestamp", "FRAME-003", patch({ outgoing: (said) => [{ ...said, timestamp: 1_759_410_084 }] })),
];

const readyWith = (more: object): Partial<AgentBehavior> =>
  patch({ hello: (to) => [event(to, "agent_ready", { agent_name: "reference", ...more })] });

/** Values in another form. */
const forms = [
  ...events.flatMap((name) => [
    form(
      "no-session",
      `no-session-in-${name}`,
      told(name, (said) => [without(said, "session_id")]),
    ),
    form(
      "context-id",
      `context-id-in-${name}`,
      data(name, ({ acp_thread_id, ...more }) => ({ ...more, context_id: acp_thread_id })),
      ["THREAD-007"],
    ),
  ]),
  form(
    "no-session",
    "null-session",
    told("message_added", (said) => [{ ...said, session_id: null }]),
  ),
  form(
    "thread-created",
    "thread-created",
    told("context_created", (said) => [{ ...said, event_type: "thread_created" }]),
  ),
  form("type", "fourth-event", beside("message_done", { acp_thread_id: "x" })),
  form("uuid", "own-thread-ids", patch({ threadId: (count) => `Thread no. ${count} / ${"ü".repeat(300)}` })),
  form(
    "session-twice",
    "session-once",
    data("context_created", (more) => without(more, "helix_session_id")),
  ),
  form(
    "session-twice",
    "two-sessions-at-once",
    data("context_created", (more) => ({ ...more, helix_session_id: "ses_x" })),
  ),
  form(
    "message-id",
    "message-id-is-number",
    data("message_completed", (more) => ({ ...more, message_id: 3 })),
  ),
  ...["message_added", "message_completed"].map((name) =>
    form(
      "message-id",
      `no-message-id-in-${name}`,
      data(name, (more) => without(more, "message_id")),
      ["TURN-009"],
    ),
  ),
  form(
    "no-request",
    "no-request",
    told("message_completed", (said) => [
      { ...said, data: without(said["data"] as Record<string, unknown>, "request_id") },
      said,
    ]),
  ),
  form(
    "no-role",
    "no-role",
    data("message_added", (more) => without(more, "role")),
  ),
  form(
    "other-role",
    "role-is-user",
    data("message_added", (more) => ({ ...more, role: "user" })),
  ),
  form(
    "timestamp",
    "no-timestamp",
    data("message_added", (more) => without(more, "timestamp")),
  ),
  form(
    "timestamp",
    "timestamp-is-text",
    data("message_added", (more) => ({ ...more, timestamp: new Date().toISOString() })),
  ),
  form(
    "timestamp",
    "milliseconds",
    data("message_added", (more) => ({ ...more, timestamp: Date.now() })),
  ),
  form("no-thread-id", "ready-without-thread", readyWith({})),
];

/**
 * Messages that are not valid. A message whose thread cannot be read counts as a message of a thread without a name.
 */
const schemas = [
  ...events.map((name) =>
    schema(
      name,
      `session-of-${name}-is-a-list`,
      told(name, (said) => [{ ...said, session_id: [said["session_id"]] }]),
    ),
  ),
  ...[
    ["message_added", "message_id"],
    ["message_completed", "message_id"],
    ["message_completed", "request_id"],
  ].map(([name = "", field = ""]) =>
    schema(
      name,
      `${field}-of-${name}-is-a-list`,
      data(name, (more) => ({ ...more, [field]: [more[field]] })),
    ),
  ),
  schema(
    "context_created",
    "context-without-thread",
    data("context_created", (more) => without(more, "acp_thread_id")),
    ["THREAD-002"],
  ),
  schema(
    "context_created",
    "context-of-number",
    data("context_created", (more) => ({ ...more, acp_thread_id: 7 })),
    ["THREAD-002"],
  ),
  schema(
    "message_added",
    "no-content",
    data("message_added", (more) => without(more, "content")),
  ),
  schema(
    "message_added",
    "content-is-list",
    data("message_added", (more) => ({ ...more, content: [more["content"]] })),
    ["TURN-002"],
  ),
  schema(
    "message_added",
    "unknown-role",
    data("message_added", (more) => ({ ...more, role: "tool" })),
  ),
  schema(
    "message_added",
    "added-to-nothing",
    data("message_added", (more) => ({ ...more, acp_thread_id: "" })),
  ),
  schema(
    "message_completed",
    "completes-nothing",
    data("message_completed", (more) => without(more, "acp_thread_id")),
  ),
  schema(
    "message_completed",
    "usage-is-text",
    data("message_completed", (more) => ({ ...more, usage: "12" })),
  ),
  schema("thread_created", "thread-of-nothing", beside("thread_created", { request_id: "req_x" })),
  schema("agent_ready", "ready-without-name", readyWith({ agent_name: null, thread_id: null })),
  schema("user_created_thread", "user-thread-of-nothing", beside("user_created_thread", { title: "x" })),
  schema("thread_title_changed", "no-title", beside("thread_title_changed", { acp_thread_id: id })),
  schema(
    "thread_load_error",
    "load-error-without-text",
    beside("thread_load_error", { acp_thread_id: id, request_id: "req_x" }),
  ),
  schema("chat_response_error", "error-without-request", beside("chat_response_error", { error: "x" })),
  schema("turn_cancelled", "unknown-status", beside("turn_cancelled", { request_id: "req_x", status: "gone" })),
  schema("chat_response", "response-without-content", beside("chat_response", { request_id: "req_x" })),
  schema("chat_response_chunk", "chunk-of-nothing", beside("chat_response_chunk", { request_id: "req_x" })),
  schema("chat_response_done", "done-with-nothing", beside("chat_response_done", {})),
  schema("message_updated", "updates-without-thread", beside("message_updated", { message_id: "1" })),
  schema("context_title_changed", "no-new-title", beside("context_title_changed", { context_id: id, title: "x" })),
  schema("ui_state_response", "ui-state-without-view", beside("ui_state_response", { query_id: "q", entry_count: 0 })),
  schema(
    "ping",
    "ping-of-text",
    patch({ hello: (to) => [...rightAgent.hello(to, []), event(to, "ping", { timestamp: "now" })] }),
  ),
];

/** Agents whose messages are wrong by themselves. */
export const formMutants: readonly Mutant[] = [...frames, ...forms, ...schemas];
