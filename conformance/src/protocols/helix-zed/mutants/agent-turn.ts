import type { Mutant } from "../../../core/mutant.js";
import { type AgentBehavior, event, type Json, rightAgent } from "../reference/agent-behavior.js";
import { broken, data, dataOf, patch, told } from "./agent-patch.js";

/** Gives every update an id of its own. */
function newIds(): Partial<AgentBehavior> {
  let count = 0;
  const last = new Map<unknown, string>();
  return patch({
    outgoing(said) {
      const more = dataOf(said);
      if (said["event_type"] === "message_added") last.set(more["acp_thread_id"], `ai_msg_${++count}`);
      else if (said["event_type"] !== "message_completed") return [said];
      return [{ ...said, data: { ...more, message_id: last.get(more["acp_thread_id"]) ?? "none" } }];
    },
  });
}

/** Tells what was added, and not the whole. */
function deltas(): Partial<AgentBehavior> {
  const before = new Map<unknown, string>();
  return data("message_added", (more) => {
    const content = String(more["content"]);
    const known = before.get(more["message_id"]) ?? "";
    before.set(more["message_id"], content);
    return { ...more, content: content.slice(known.length) };
  });
}

/** Takes what it told for a part that the next update adds to. */
function addedUp(): Partial<AgentBehavior> {
  const before = new Map<unknown, string>();
  return data("message_added", (more) => {
    const content = `${before.get(more["message_id"]) ?? ""}${String(more["content"])}`;
    before.set(more["message_id"], content);
    return { ...more, content };
  });
}

/** Says much at first, and less with every update. */
function shrinking(): Partial<AgentBehavior> {
  let count = 0;
  return data("message_added", (more) => ({
    ...more,
    content: `${String(more["content"])}${".".repeat(Math.max(0, 1_000 - 100 * count++))}`,
  }));
}

/** Passes over messages that ask for a thread while it answers another one. */
function busyForOthers(): Partial<AgentBehavior> {
  const running = new Set<unknown>();
  return patch({
    isChat: (more) => rightAgent.isChat(more) && (running.size === 0 || rightAgent.threadOf(more) !== undefined),
    added(turn, message) {
      running.add(turn.requestId);
      return rightAgent.added(turn, message);
    },
    finished(turn, failed) {
      running.delete(turn.requestId);
      return rightAgent.finished(turn, failed);
    },
  });
}

/** Takes the message that came last for the one that it answers. */
function endsTheLast(): Partial<AgentBehavior> {
  let last: unknown;
  return patch({
    queued(turn) {
      last = turn.requestId;
      return [];
    },
    finished: (turn, failed) =>
      rightAgent.finished(last === undefined ? turn : { ...turn, requestId: String(last) }, failed),
  });
}

const renamed = (change: (id: string) => string): Partial<AgentBehavior> =>
  data("message_completed", (more) => ({ ...more, request_id: change(String(more["request_id"])) }));
const ends = (change: (end: Json) => readonly Json[]): Partial<AgentBehavior> =>
  patch({ finished: (turn, failed) => rightAgent.finished(turn, failed).flatMap(change) });
const later = (said: Json): Json =>
  event(said["session_id"], "message_added", {
    ...dataOf(said),
    role: "assistant",
    content: "too late",
    timestamp: Math.floor(Date.now() / 1_000),
  });
const DAYS_S = 2 * 24 * 60 * 60;

/** Agents that are wrong about turns and their messages. */
export const turnMutants: readonly Mutant[] = broken({
  "id-for-every-update": ["TURN-001", newIds],
  deltas: ["TURN-016", deltas, { collateral: ["TURN-002", "TURN-003"] }],
  "takes-back-what-it-said": [
    "TURN-002",
    shrinking,
    { collateral: ["TURN-003", "TURN-012", "TURN-016", "THREAD-009"] },
  ],
  "adds-up-its-updates": ["TURN-003", addedUp, { cases: ["turn.chunks"] }],
  "tells-at-the-end": ["TURN-003", { showsAtOnce: () => false }],
  "loses-the-rest": [
    "TURN-003",
    { added: (turn, message) => (message.content.length > 5 ? [] : rightAgent.added(turn, message)) },
    { collateral: ["THREAD-009"] },
  ],
  "clock-is-slow": [
    "TURN-004",
    data("message_added", (more) => ({ ...more, timestamp: Number(more["timestamp"]) - DAYS_S })),
  ],
  "clock-runs-backwards": [
    "TURN-015",
    () => {
      let time = Math.floor(Date.now() / 1_000);
      return data("message_added", (more) => ({ ...more, timestamp: --time }));
    },
  ],
  "no-end": ["TURN-005", { finished: () => [] }, { collateral: ["THREAD-007"] }],
  "loses-undelivered-messages": ["TURN-005", { keepsUnsent: false }, { cases: ["turn.undelivered"] }],
  "ends-twice": ["TURN-006", told("message_completed", (said) => [said, said])],
  "says-after-the-end": ["TURN-007", ends((end) => [end, later(end)])],
  "requests-in-ascii": ["TURN-008", renamed((id) => id.replace(/[^ -~]/g, "?"))],
  "requests-are-cut": ["TURN-008", renamed((id) => id.slice(0, 255))],
  "requests-as-numbers": ["TURN-008", renamed((id) => id.replace(/^conformance007/, "conformance7"))],
  "requests-in-lower-case": ["TURN-008", renamed((id) => id.toLowerCase())],
  "ends-of-no-message": ["TURN-009", data("message_completed", (more) => ({ ...more, message_id: "0" }))],
  "ends-the-last": ["TURN-010", endsTheLast, { collateral: ["TURN-006", "TURN-007", "TURN-009"] }],
  "no-end-of-nothing": [
    "TURN-011",
    { finished: (turn, failed) => (turn.messages.length === 0 ? [] : rightAgent.finished(turn, failed)) },
  ],
  "one-id-for-a-turn": [
    "TURN-012",
    { messageId: ({ requestId }) => `ai_msg_${requestId}` },
    { collateral: ["TURN-002", "TURN-016"] },
  ],
  "begins-nothing-while-a-turn-runs": ["TURN-005", busyForOthers, { cases: ["turn.queue"] }],
  "numbers-the-messages-of-a-turn": ["TURN-017", { messageId: (_turn, count) => `ai_msg_${count}` }],
  "end-for-every-message": [
    ["TURN-006", "TURN-012"],
    { finished: (turn, failed) => turn.messages.flatMap(() => rightAgent.finished(turn, failed)) },
  ],
  "no-end-of-failure": ["TURN-013", { finished: (turn, failed) => (failed ? [] : rightAgent.finished(turn, failed)) }],
  "answers-again": ["TURN-014", { answersAgain: true }],
});
