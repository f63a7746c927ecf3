import type { Mutant } from "../../../core/mutant.js";
import { type AgentBehavior, event, type Json, rightAgent } from "../reference/agent-behavior.js";
import { broken, data, dataOf, namelessFor, patch, told } from "./agent-patch.js";

/** Holds the news of a thread until its first message. */
function late(): Partial<AgentBehavior> {
  const held = new Map<unknown, Json>();
  return patch({
    outgoing(said) {
      const thread = dataOf(said)["acp_thread_id"];
      if (said["event_type"] === "context_created") {
        held.set(thread, said);
        return [];
      }
      const news = held.get(thread);
      held.delete(thread);
      return news === undefined ? [said] : [said, news];
    },
  });
}

/** Puts each message into the thread that was created last. */
function mixing(): Partial<AgentBehavior> {
  let last: unknown;
  return patch({
    outgoing(said) {
      if (said["event_type"] === "context_created") last = dataOf(said)["acp_thread_id"];
      return [
        said["event_type"] === "message_added" ? { ...said, data: { ...dataOf(said), acp_thread_id: last } } : said,
      ];
    },
  });
}

/** Keeps the last thread of each session, and chooses between it and the one that a message names. */
function ofSession(choose: (named: string | undefined, last: string | undefined) => string | undefined) {
  const threads = new Map<unknown, string>();
  return patch({
    threadOf: (more) => choose(rightAgent.threadOf(more), threads.get(more["helix_session_id"])),
    created(turn) {
      threads.set(turn.session, turn.thread);
      return rightAgent.created(turn);
    },
  });
}

/** Takes every session for the first one. */
function ofFirstSession(): Partial<AgentBehavior> {
  let first: unknown;
  return told("context_created", (_said, more) => {
    first ??= more["helix_session_id"];
    return [event(first, "context_created", { ...more, helix_session_id: first })];
  });
}

const inAscii = (text: unknown): string => String(text).replace(/[^ -~]/g, "?");

/** Agents that are wrong about threads and sessions. */
export const threadMutants: readonly Mutant[] = broken({
  "no-context": [["THREAD-001", "THREAD-002"], { created: () => [] }],
  "begins-every-turn-anew": ["THREAD-007", { past: () => [] }, { cases: ["thread.recall"] }],
  "answers-the-first-session": [
    "THREAD-011",
    () => {
      const first = new Map<string, unknown>();
      return {
        finished(turn, failed) {
          if (!first.has(turn.thread)) first.set(turn.thread, turn.session);
          return rightAgent.finished({ ...turn, session: first.get(turn.thread) }, failed);
        },
      };
    },
  ],
  "two-contexts": [["THREAD-001", "THREAD-006"], told("context_created", (said) => [said, said])],
  "late-context": ["THREAD-002", late],
  "names-no-real-thread": [
    "THREAD-002",
    data("context_created", (more) => ({ ...more, acp_thread_id: "00000000-0000-4000-8000-000000000000" })),
    { collateral: ["THREAD-006"] },
  ],
  "refuses-no-thread": ["THREAD-003", { isChat: (more) => rightAgent.isChat(more) && "acp_thread_id" in more }],
  "refuses-empty-thread": ["THREAD-003", { isChat: (more) => rightAgent.isChat(more) && more["acp_thread_id"] !== "" }],
  "echoes-another-session": [
    "THREAD-004",
    told("context_created", (said) => [{ ...said, session_id: "ses_x" }]),
    { collateral: ["FORM-session-twice"] },
  ],
  "context-of-first-session": ["THREAD-004", ofFirstSession, { collateral: ["THREAD-001"] }],
  // The session of a message without one is that of the dial, if the agent answers it at all.
  "nameless-of-other-session": [
    "THREAD-004",
    namelessFor(() => "ses_x"),
    { collateral: ["THREAD-008"], cases: ["wrong.*.helix-session-id-*"] },
  ],
  // A session in a wrong form is not a missing one.
  "number-is-no-session": [
    "THREAD-004",
    {
      isChat: (more) => rightAgent.isChat({ ...more, helix_session_id: "ses_any" }),
      sessionOf: ({ helix_session_id }, dialed) => (typeof helix_session_id === "string" ? helix_session_id : dialed),
    },
    { collateral: ["THREAD-008"], cases: ["wrong.*.helix-session-id-*"] },
  ],
  // One thread for all is reported repeatedly, and its sessions mix.
  "one-thread": [
    "THREAD-005",
    { threadId: () => "8405cd2a-24ae-4b3f-9c11-0242ac120002" },
    { collateral: ["THREAD-006", "THREAD-008", "THREAD-009", "TURN-007"] },
  ],
  "stays-in-the-thread-of-a-session": [
    "THREAD-005",
    () => ofSession((named, last) => named ?? last),
    { cases: ["thread.same-session"], collateral: ["TURN-007"] },
  ],
  "prefers-the-last-thread": [
    "THREAD-007",
    () => ofSession((named, last) => named && (last ?? named)),
    { cases: ["thread.same-session"], collateral: ["TURN-007"] },
  ],
  "context-for-every-turn": [
    "THREAD-006",
    { finished: (turn, failed) => [...rightAgent.created(turn), ...rightAgent.finished(turn, failed)] },
  ],
  "thread-for-every-turn": [["THREAD-006", "THREAD-007"], { threadOf: () => undefined }],
  "ends-elsewhere": [
    "THREAD-007",
    data("message_completed", (more) => ({ ...more, acp_thread_id: "thread-x" })),
    { collateral: ["THREAD-002"] },
  ],
  "says-elsewhere": [
    "THREAD-007",
    data("message_added", (more) => ({ ...more, acp_thread_id: "thread-x" })),
    { collateral: ["THREAD-002"] },
  ],
  "says-of-other-session": ["THREAD-008", told("message_added", (said) => [{ ...said, session_id: "ses_x" }])],
  "ends-of-other-session": ["THREAD-008", told("message_completed", (said) => [{ ...said, session_id: "ses_x" }])],
  "sessions-in-ascii": [
    "THREAD-008",
    told("message_completed", (said) => [{ ...said, session_id: inAscii(said["session_id"]) }]),
  ],
  "mixes-threads": [
    "THREAD-009",
    mixing,
    { collateral: ["TURN-002", "TURN-007", "TURN-009", "TURN-016", "THREAD-008"] },
  ],
  "one-turn-in-all": ["THREAD-010", { lane: () => "all" }],
});
