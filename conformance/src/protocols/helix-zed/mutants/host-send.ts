import { mutant, type Mutant } from "../../../core/mutant.js";
import { rightHost, waits } from "../reference/host-behavior.js";
import { patch, sent, without } from "./host-patch.js";

const one = ["helix-zed.host.send.first"];
const schema = (type: string): string => `HELIX-SCHEMA-${type}:params`;

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
const forms: readonly Mutant[] = [
  mutant("helix-zed.host/sends-bytes", {
    violates: ["HELIX-FRAME-001"],
    cases: one,
    patch: patch({ encode: (message) => Buffer.from(JSON.stringify(message)) }),
  }),
  mutant("helix-zed.host/sends-no-json", {
    violates: ["HELIX-FRAME-001"],
    cases: one,
    patch: patch({ encode: (message) => `${JSON.stringify(message)},` }),
  }),
  mutant("helix-zed.host/sends-lists", {
    violates: ["HELIX-FRAME-001"],
    cases: one,
    patch: patch({ outgoing: (message) => [[message]] }),
  }),
  mutant("helix-zed.host/speaks-as-an-agent", {
    violates: ["HELIX-FRAME-004"],
    cases: one,
    patch: patch({ outgoing: ({ type, data }) => [{ event_type: type, data }] }),
  }),
  mutant("helix-zed.host/no-envelope", {
    violates: ["HELIX-FRAME-004"],
    cases: one,
    patch: patch({ outgoing: ({ type, data }) => [{ type, ...(data as object) }] }),
  }),
  ...["helix_session_id", "message", "request_id"].map((field) =>
    mutant(`helix-zed.host/no-${field.replaceAll("_", "-")}`, {
      violates: [schema("chat_message")],
      collateral: ["HELIX-SEND-002", "HELIX-SEND-006"],
      cases: one,
      patch: sent("chat_message", (data) => without(data, field)),
    }),
  ),
  mutant("helix-zed.host/thread-is-a-number", {
    violates: [schema("chat_message")],
    cases: one,
    patch: sent("chat_message", (data) => ({ ...data, acp_thread_id: 7 })),
  }),
  mutant("helix-zed.host/request-ids-are-numbers", {
    violates: [schema("chat_message")],
    cases: one,
    patch: sent("chat_message", (data) => ({ ...data, request_id: 7 })),
    collateral: ["HELIX-SEND-002"],
  }),
  mutant("helix-zed.host/opens-no-thread", {
    violates: [schema("open_thread")],
    cases: ["helix-zed.host.link.thread"],
    patch: patch({ greeting: () => [{ type: "open_thread", data: {} }] }),
  }),
  mutant("helix-zed.host/simulates-no-message", {
    violates: [schema("simulate_user_input")],
    cases: ["helix-zed.host.link.thread"],
    patch: patch({ greeting: () => [{ type: "simulate_user_input", data: { request_id: "req_x" } }] }),
  }),
  mutant("helix-zed.host/queries-without-an-id", {
    violates: [schema("query_ui_state")],
    cases: ["helix-zed.host.link.thread"],
    patch: patch({ greeting: () => [{ type: "query_ui_state", data: {} }] }),
  }),
  mutant("helix-zed.host/cancels-no-request", {
    violates: [schema("cancel_current_turn")],
    collateral: ["HELIX-CANCEL-020"],
    cases: ["helix-zed.host.v2026.cancel"],
    patch: patch({ cancel: () => ({}) }),
  }),
  mutant("helix-zed.host/leaves-the-thread-out", {
    violates: ["HELIX-FORM-no-thread"],
    cases: one,
    patch: sent("chat_message", (data) => (data["acp_thread_id"] === null ? without(data, "acp_thread_id") : data)),
  }),
  mutant("helix-zed.host/empty-thread", {
    violates: ["HELIX-FORM-no-thread"],
    cases: one,
    patch: sent("chat_message", (data) => ({ ...data, acp_thread_id: data["acp_thread_id"] ?? "" })),
  }),
  mutant("helix-zed.host/session-under-another-name", {
    violates: ["HELIX-FORM-session-field"],
    cases: one,
    patch: sent("chat_message", ({ helix_session_id, ...data }) => ({ ...data, session_id: helix_session_id })),
  }),
];

/** What is said, and when. */
const messages: readonly Mutant[] = [
  mutant("helix-zed.host/invents-threads", {
    violates: ["HELIX-SEND-001"],
    patch: sent("chat_message", (data) => ({ ...data, acp_thread_id: data["acp_thread_id"] ?? "thread-of-the-host" })),
  }),
  mutant("helix-zed.host/counts-in-each-session", {
    violates: ["HELIX-SEND-002"],
    patch: patch({
      requestId: ({ interactions }) => `req_${interactions.length}`,
      sessionOf: ({ session, thread }, all) =>
        all.find(({ id }) => id === session) ?? all.find((session) => session.thread === thread),
    }),
  }),
  mutant("helix-zed.host/forgets-threads", {
    violates: ["HELIX-SEND-003"],
    patch: sent("chat_message", (data) => ({ ...data, acp_thread_id: null })),
  }),
  mutant("helix-zed.host/mixes-threads", {
    violates: ["HELIX-SEND-003"],
    cases: ["helix-zed.host.send.own-threads"],
    patch: mixedUp,
  }),
  mutant("helix-zed.host/does-not-wait", {
    violates: ["HELIX-SEND-004"],
    collateral: ["HELIX-SEND-003"],
    patch: patch({ due: ({ interactions }) => interactions.filter(waits) }),
  }),
  mutant("helix-zed.host/waits-for-the-thread-only", {
    violates: ["HELIX-SEND-004"],
    patch: patch({
      due: (session, all) =>
        session.thread === null ? rightHost.due(session, all) : session.interactions.filter(waits),
    }),
  }),
  mutant("helix-zed.host/has-a-role", {
    violates: ["HELIX-SEND-005"],
    cases: one,
    patch: sent("chat_message", (data) => ({ ...data, role: "user" })),
  }),
  mutant("helix-zed.host/trims-messages", {
    violates: ["HELIX-SEND-006"],
    patch: sent("chat_message", (data) => ({ ...data, message: String(data["message"]).trim() })),
  }),
  mutant("helix-zed.host/shortens-messages", {
    violates: ["HELIX-SEND-006"],
    patch: sent("chat_message", (data) => ({ ...data, message: String(data["message"]).slice(0, 65_536) })),
  }),
  mutant("helix-zed.host/own-names-for-sessions", {
    violates: ["HELIX-SEND-006"],
    cases: one,
    patch: sent("chat_message", (data) => ({ ...data, helix_session_id: `host-${String(data["helix_session_id"])}` })),
  }),
  mutant("helix-zed.host/third-type", {
    violates: ["HELIX-FORM-type"],
    cases: one,
    patch: patch({ outgoing: (message) => [message, { type: "ack", data: {} }] }),
  }),
  mutant("helix-zed.host/newest-first", {
    violates: ["HELIX-SEND-007"],
    patch: patch({
      due: ({ interactions }) => {
        const waiting = interactions.filter(waits);
        return [waiting.find(({ sentOn }) => sentOn !== undefined) ?? waiting.at(-1)].filter(
          (found) => found !== undefined,
        );
      },
    }),
  }),
  mutant("helix-zed.host/one-turn-at-a-time", {
    violates: ["HELIX-SEND-007"],
    patch: patch({
      due: (session, all) => {
        const isBusy = all.some(
          (other) => other !== session && other.interactions.some((one) => waits(one) && one.sentOn !== undefined),
        );
        return isBusy ? [] : rightHost.due(session, all);
      },
    }),
  }),
];

/** Hosts that send something wrong. */
export const sendMutants: readonly Mutant[] = [...forms, ...messages];
