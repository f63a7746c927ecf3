import { without } from "../../../packs/rewrites.js";
import type { Mutant } from "../../../core/mutant.js";
import { rightHost, waits } from "../reference/host-behavior.js";
import { broken, each, sent } from "./host-patch.js";

const one = ["send.first"];
const schema = (type: string): string => `SCHEMA-${type}:params`;

/** Names the newest thread of all in each message. */
function mixedUp(): Partial<typeof rightHost> {
  let newest: string | null = null;
  return {
    created(session, thread) {
      session.thread = newest = thread;
    },
    chat: (session, interaction) => ({
      ...rightHost.chat(session, interaction),
      acp_thread_id: session.thread && newest,
    }),
  };
}

/** Frames and messages. */
const forms: readonly Mutant[] = broken({
  "sends-lists": ["FRAME-001", { outgoing: (message) => [[message]] }, { cases: one }],
  "speaks-as-an-agent": ["FRAME-004", { outgoing: ({ type, data }) => [{ event_type: type, data }] }, { cases: one }],
  ...each(["helix_session_id", "message", "request_id"], (field) => ({
    [`no-${field.replaceAll("_", "-")}`]: [
      schema("chat_message"),
      sent("chat_message", (data) => without(data, field)),
      { collateral: ["SEND-002", "SEND-006"], cases: one },
    ],
  })),
  "thread-is-a-number": [
    schema("chat_message"),
    sent("chat_message", (data) => ({ ...data, acp_thread_id: 7 })),
    { cases: one },
  ],
  "opens-no-thread": [
    schema("open_thread"),
    { greeting: () => [{ type: "open_thread", data: {} }] },
    { cases: ["link.thread"] },
  ],
  "simulates-no-message": [
    schema("simulate_user_input"),
    { greeting: () => [{ type: "simulate_user_input", data: { request_id: "req_x" } }] },
    { cases: ["link.thread"] },
  ],
  "queries-without-an-id": [
    schema("query_ui_state"),
    { greeting: () => [{ type: "query_ui_state", data: {} }] },
    { cases: ["link.thread"] },
  ],
  "cancels-no-request": [
    schema("cancel_current_turn"),
    { cancel: () => ({}) },
    { collateral: ["CANCEL-020"], cases: ["v2026.cancel"] },
  ],
  "leaves-the-thread-out": [
    "FORM-no-thread",
    sent("chat_message", (data) => (data["acp_thread_id"] === null ? without(data, "acp_thread_id") : data)),
    { cases: one },
  ],
  "session-under-another-name": [
    "FORM-session-field",
    sent("chat_message", ({ helix_session_id, ...data }) => ({ ...data, session_id: helix_session_id })),
    { cases: one },
  ],
});

/** Mutants of messages: their texts and their times. */
const messages: readonly Mutant[] = broken({
  "invents-threads": [
    "SEND-001",
    sent("chat_message", (data) => ({ ...data, acp_thread_id: data["acp_thread_id"] ?? "thread-of-the-host" })),
  ],
  "counts-in-each-session": [
    "SEND-002",
    {
      requestId: ({ interactions }) => `req_${interactions.length}`,
      sessionOf: ({ session, thread }, all) =>
        all.find(({ id }) => id === session) ?? all.find((session) => session.thread === thread),
    },
  ],
  "forgets-threads": ["SEND-003", sent("chat_message", (data) => ({ ...data, acp_thread_id: null }))],
  "mixes-threads": ["SEND-003", mixedUp, { cases: ["send.own-threads"] }],
  "does-not-wait": [
    "SEND-004",
    { due: ({ interactions }) => interactions.filter(waits) },
    { collateral: ["SEND-003"] },
  ],
  "has-a-role": ["SEND-005", sent("chat_message", (data) => ({ ...data, role: "user" })), { cases: one }],
  "shortens-messages": [
    "SEND-006",
    sent("chat_message", (data) => ({ ...data, message: String(data["message"]).slice(0, 65_536) })),
  ],
  "own-names-for-sessions": [
    "SEND-006",
    sent("chat_message", (data) => ({ ...data, helix_session_id: `host-${String(data["helix_session_id"])}` })),
    { cases: one },
  ],
  "third-type": ["FORM-type", { outgoing: (message) => [message, { type: "ack", data: {} }] }, { cases: one }],
  "newest-first": [
    "SEND-007",
    {
      due: ({ interactions }) => {
        const waiting = interactions.filter(waits);
        return [waiting.find(({ sentOn }) => sentOn !== undefined) ?? waiting.at(-1)].filter(
          (found) => found !== undefined,
        );
      },
    },
  ],
  "one-turn-at-a-time": [
    "SEND-007",
    {
      due: (session, all) => {
        const isBusy = all.some(
          (other) => other !== session && other.interactions.some((one) => waits(one) && one.sentOn !== undefined),
        );
        return isBusy ? [] : rightHost.due(session, all);
      },
    },
  ],
});

/** Hosts that send something wrong. */
export const sendMutants: readonly Mutant[] = [...forms, ...messages];
