import { mutant, type Mutant } from "../../../core/mutant.js";
import { type AgentBehavior, event, type Json, rightAgent } from "../reference/agent-behavior.js";
import { data, dataOf, namelessFor, patch, told } from "./agent-patch.js";

const ids = (list: readonly string[]): string[] => list.map((id) => `HELIX-${id}`);
const broken = (
  name: string,
  violates: readonly string[],
  switches: Mutant["patch"],
  collateral: readonly string[] = [],
): Mutant =>
  mutant(`helix-zed.agent/${name}`, { violates: ids(violates), collateral: ids(collateral), patch: switches });

/** Answers a message whose session is missing or wrong, for a session that it does not belong to. */
const misread = (name: string, switches: Mutant["patch"]): Mutant =>
  mutant(`helix-zed.agent/${name}`, {
    violates: ids(["THREAD-004"]),
    collateral: ids(["THREAD-008"]),
    cases: ["helix-zed.agent.wrong.*.helix-session-id-*"],
    patch: switches,
  });

/** Holds the news of a thread until something was said in it. */
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

/** Puts what is said into the thread that was created last. */
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
export const threadMutants: readonly Mutant[] = [
  broken("no-context", ["THREAD-001", "THREAD-002"], patch({ created: () => [] })),
  broken(
    "two-contexts",
    ["THREAD-001", "THREAD-006"],
    told("context_created", (said) => [said, said]),
  ),
  broken("late-context", ["THREAD-002"], late),
  broken(
    "names-no-real-thread",
    ["THREAD-002"],
    data("context_created", (more) => ({ ...more, acp_thread_id: "00000000-0000-4000-8000-000000000000" })),
    ["THREAD-006"],
  ),
  broken(
    "refuses-no-thread",
    ["THREAD-003"],
    patch({ isChat: (more) => rightAgent.isChat(more) && "acp_thread_id" in more }),
  ),
  broken(
    "refuses-empty-thread",
    ["THREAD-003"],
    patch({ isChat: (more) => rightAgent.isChat(more) && more["acp_thread_id"] !== "" }),
  ),
  broken(
    "context-of-other-session",
    ["THREAD-004"],
    told("context_created", (_said, more) => [
      event("ses_x", "context_created", { ...more, helix_session_id: "ses_x" }),
    ]),
  ),
  broken(
    "echoes-another-session",
    ["THREAD-004"],
    told("context_created", (said) => [{ ...said, session_id: "ses_x" }]),
    ["FORM-session-twice"],
  ),
  broken("context-of-first-session", ["THREAD-004"], ofFirstSession, ["THREAD-001"]),
  // The session of a message without one is that of the dial, if the agent answers it at all.
  misread(
    "nameless-of-other-session",
    namelessFor(() => "ses_x"),
  ),
  // A session in a wrong form is no missing one.
  misread(
    "number-is-no-session",
    patch({
      isChat: (more) => rightAgent.isChat({ ...more, helix_session_id: "ses_any" }),
      sessionOf: ({ helix_session_id }, dialed) => (typeof helix_session_id === "string" ? helix_session_id : dialed),
    }),
  ),
  // One thread for all is reported repeatedly, and its sessions mix.
  broken("one-thread", ["THREAD-005"], patch({ threadId: () => "8405cd2a-24ae-4b3f-9c11-0242ac120002" }), [
    "THREAD-006",
    "THREAD-008",
    "THREAD-009",
    "TURN-007",
  ]),
  broken(
    "context-for-every-turn",
    ["THREAD-006"],
    patch({ finished: (turn, failed) => [...rightAgent.created(turn), ...rightAgent.finished(turn, failed)] }),
  ),
  broken("thread-for-every-turn", ["THREAD-006", "THREAD-007"], patch({ threadOf: () => undefined })),
  broken(
    "ends-elsewhere",
    ["THREAD-007"],
    data("message_completed", (more) => ({ ...more, acp_thread_id: "thread-x" })),
    ["THREAD-002"],
  ),
  broken(
    "says-elsewhere",
    ["THREAD-007"],
    data("message_added", (more) => ({ ...more, acp_thread_id: "thread-x" })),
    ["THREAD-002"],
  ),
  broken(
    "says-of-other-session",
    ["THREAD-008"],
    told("message_added", (said) => [{ ...said, session_id: "ses_x" }]),
  ),
  broken(
    "ends-of-other-session",
    ["THREAD-008"],
    told("message_completed", (said) => [{ ...said, session_id: "ses_x" }]),
  ),
  broken(
    "sessions-in-ascii",
    ["THREAD-008"],
    told("message_completed", (said) => [{ ...said, session_id: inAscii(said["session_id"]) }]),
  ),
  broken("mixes-threads", ["THREAD-009"], mixing, ["TURN-002", "TURN-007", "TURN-009", "TURN-016", "THREAD-008"]),
  broken("one-turn-in-all", ["THREAD-010"], patch({ lane: () => "all" })),
];
