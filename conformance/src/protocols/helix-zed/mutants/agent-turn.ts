import { mutant, type Mutant } from "../../../core/mutant.js";
import { type AgentBehavior, event, type Json, rightAgent } from "../reference/agent-behavior.js";
import { data, dataOf, patch, told } from "./agent-patch.js";

const ids = (list: readonly string[]): string[] => list.map((id) => `HELIX-${id}`);
const broken = (
  name: string,
  violates: readonly string[],
  switches: Mutant["patch"],
  collateral: readonly string[] = [],
): Mutant =>
  mutant(`helix-zed.agent/${name}`, { violates: ids(violates), collateral: ids(collateral), patch: switches });

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

/** Says much at first, and less with every update. */
function shrinking(): Partial<AgentBehavior> {
  let count = 0;
  return data("message_added", (more) => ({
    ...more,
    content: `${String(more["content"])}${".".repeat(Math.max(0, 1_000 - 100 * count++))}`,
  }));
}

/** Has nothing more to say in a thread in which something went wrong. */
function sulking(): Partial<AgentBehavior> {
  const failed = new Set<unknown>();
  return patch({
    isChat: (more) => rightAgent.isChat(more) && !failed.has(more["acp_thread_id"]),
    finished(turn, isFailed) {
      if (isFailed) failed.add(turn.thread);
      return rightAgent.finished(turn, isFailed);
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

/** Agents that are wrong about turns and what is said in them. */
export const turnMutants: readonly Mutant[] = [
  broken("id-for-every-update", ["TURN-001"], newIds),
  broken("deltas", ["TURN-016"], deltas, ["TURN-002"]),
  broken("takes-back-what-it-said", ["TURN-002"], shrinking, ["TURN-003", "TURN-012", "TURN-016", "THREAD-009"]),
  broken(
    "changes-what-it-said",
    ["TURN-016"],
    data("message_added", (more) => {
      const content = String(more["content"]);
      return { ...more, content: content.length > 1 ? `${content.length}${content}` : content };
    }),
    ["TURN-012", "THREAD-009"],
  ),
  broken("tells-at-the-end", ["TURN-003"], patch({ showsAtOnce: () => false })),
  broken(
    "loses-the-rest",
    ["TURN-003"],
    patch({ added: (turn, message) => (message.content.length > 5 ? [] : rightAgent.added(turn, message)) }),
    ["THREAD-009"],
  ),
  broken(
    "clock-is-slow",
    ["TURN-004"],
    data("message_added", (more) => ({ ...more, timestamp: Number(more["timestamp"]) - DAYS_S })),
  ),
  broken(
    "clock-is-at-zero",
    ["TURN-004"],
    data("message_added", (more) => ({ ...more, timestamp: 0 })),
  ),
  mutant("helix-zed.agent/clock-runs-backwards", {
    violates: ["HELIX-TURN-015"],
    patch() {
      let time = Math.floor(Date.now() / 1_000);
      return data("message_added", (more) => ({ ...more, timestamp: --time }));
    },
  }),
  broken("no-end", ["TURN-005"], patch({ finished: () => [] }), ["THREAD-007"]),
  mutant("helix-zed.agent/loses-undelivered-messages", {
    violates: ["HELIX-TURN-005"],
    cases: ["helix-zed.agent.turn.undelivered"],
    patch: patch({ keepsUnsent: false }),
  }),
  broken(
    "ends-twice",
    ["TURN-006"],
    told("message_completed", (said) => [said, said]),
  ),
  broken(
    "says-after-the-end",
    ["TURN-007"],
    ends((end) => [end, later(end)]),
  ),
  broken(
    "requests-in-ascii",
    ["TURN-008"],
    renamed((id) => id.replace(/[^ -~]/g, "?")),
  ),
  broken(
    "requests-are-cut",
    ["TURN-008"],
    renamed((id) => id.slice(0, 255)),
  ),
  broken(
    "requests-as-numbers",
    ["TURN-008"],
    renamed((id) => id.replace(/007/, "7")),
  ),
  broken(
    "requests-in-lower-case",
    ["TURN-008"],
    renamed((id) => id.toLowerCase()),
  ),
  broken(
    "knows-only-ids-of-the-examples",
    ["TURN-008"],
    patch({ isChat: (more) => rightAgent.isChat(more) && String(more["helix_session_id"]).startsWith("ses_") }),
  ),
  broken(
    "ends-of-no-message",
    ["TURN-009"],
    data("message_completed", (more) => ({ ...more, message_id: "0" })),
  ),
  // Whose words are whose cannot be told any more.
  broken("turns-side-by-side", ["TURN-010"], patch({ lane: ({ requestId }) => requestId }), ["TURN-007", "TURN-009"]),
  broken("last-comes-first", ["TURN-010"], patch({ next: (waiting) => waiting.length - 1 }), ["TURN-007", "TURN-009"]),
  broken("ends-the-last", ["TURN-010"], endsTheLast, ["TURN-006", "TURN-007", "TURN-009"]),
  broken(
    "no-end-of-nothing",
    ["TURN-011"],
    patch({ finished: (turn, failed) => (turn.messages.length === 0 ? [] : rightAgent.finished(turn, failed)) }),
  ),
  broken("one-id-for-a-turn", ["TURN-012"], patch({ messageId: ({ requestId }) => `ai_msg_${requestId}` }), [
    "TURN-002",
    "TURN-016",
  ]),
  broken(
    "end-for-every-message",
    ["TURN-006", "TURN-012"],
    patch({ finished: (turn, failed) => turn.messages.flatMap(() => rightAgent.finished(turn, failed)) }),
  ),
  broken(
    "no-end-of-failure",
    ["TURN-013"],
    patch({ finished: (turn, failed) => (failed ? [] : rightAgent.finished(turn, failed)) }),
  ),
  broken("sulks", ["TURN-013"], sulking),
  broken("answers-again", ["TURN-014"], patch({ answersAgain: true })),
];
