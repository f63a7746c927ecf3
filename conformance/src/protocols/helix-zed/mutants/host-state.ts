import type { Mutant } from "../../../core/mutant.js";
import { rightHost, waits } from "../reference/host-behavior.js";
import { broken, ending, reaction } from "./host-patch.js";

/** Dies when the same request is completed again. */
function countingCompletions(): Partial<typeof rightHost> {
  const completed = new Set<unknown>();
  return reaction("die", ({ name, data }) => {
    if (name !== "message_completed") return false;
    const again = completed.has(data["request_id"]);
    completed.add(data["request_id"]);
    return again;
  });
}

/** Hosts that misread what they receive. */
export const stateMutants: readonly Mutant[] = broken({
  "created-completes": [
    ["STATE-001", "STATE-003"],
    ending((_interaction, { name }) => (name === "context_created" ? "complete" : undefined)),
    { collateral: ["STATE-002"] },
  ],
  "created-makes-an-interaction": [
    "STATE-001",
    {
      created(session, thread) {
        rightHost.created(session, thread);
        session.interactions.push({ requestId: `made-for-${thread}`, message: "", state: "complete", messages: [] });
      },
    },
  ],
  "unknown-events-complete": [
    "STATE-003",
    { eventName: (name) => (name === "message_progress" ? "message_completed" : rightHost.eventName(name)) },
    { cases: ["state.unknown-event"] },
  ],
  "completes-the-first-turn-only": [
    "STATE-003",
    {
      interactionOf: (event, session) =>
        event.name === "message_completed" ? session.interactions[0] : rightHost.interactionOf(event, session),
    },
    { cases: ["send.follow-up"] },
  ],
  "shows-ascii": [
    "STATE-002",
    { updated: (messages, id, content) => rightHost.updated(messages, id, content.replaceAll(/[^ -~\n]/gu, "?")) },
    { cases: ["state.overwritten"] },
  ],
  "keeps-the-first-update": [
    "STATE-002",
    {
      updated: (messages, id, content) =>
        messages.some(([known]) => known === id) ? messages : [...messages, [id, content]],
    },
  ],
  "updates-complete": [
    ["STATE-002", "STATE-003"],
    ending((_interaction, { name }) => (name === "message_added" ? "complete" : undefined)),
  ],
  "empties-the-complete": [
    "STATE-002",
    {
      report: (session) =>
        rightHost.report({
          ...session,
          interactions: session.interactions.map((one) => (one.state === "complete" ? { ...one, messages: [] } : one)),
        }),
    },
    { cases: ["state.overwritten"] },
  ],
  "completes-the-oldest": [
    "STATE-004",
    {
      sessionOf: (event, all) =>
        event.name === "message_completed"
          ? all.find(({ interactions }) => interactions.some(waits))
          : rightHost.sessionOf(event, all),
      interactionOf: (event, session) =>
        event.name === "message_completed" ? session.interactions.find(waits) : rightHost.interactionOf(event, session),
    },
  ],
  "takes-any-completion": [
    ["STATE-004", "STATE-005"],
    { interactionOf: (_event, { interactions }) => interactions.find(waits) },
  ],
  "dies-of-second-completions": ["STATE-005", countingCompletions],
  "takes-late-updates": [
    "STATE-006",
    {
      grows: () => true,
      interactionOf: (event, session) => rightHost.interactionOf(event, session) ?? session.interactions.at(-1),
    },
  ],
  "one-message-only": ["STATE-007", { updated: (_messages, id, content) => [[id, content]] }],
  "updates-the-last-message": [
    "STATE-007",
    {
      updated: (messages, id, content) =>
        messages.some(([known]) => known === id)
          ? [...messages.slice(0, -1), [id, content]]
          : [...messages, [id, content]],
    },
  ],
  "wants-the-message-of-a-completion": [
    "STATE-008",
    ending(({ messages, state }, { name, data }) =>
      name === "message_completed" && !messages.some(([id]) => id === data["message_id"]) ? state : undefined,
    ),
  ],
  "first-thread-stays": [
    "STATE-009",
    {
      created(session, thread) {
        session.thread ??= thread;
      },
    },
  ],
  "empty-is-an-error": [
    "STATE-010",
    ending(({ messages }, { name }) => (name === "message_completed" && messages.length === 0 ? "error" : undefined)),
  ],
  "remembers-the-last": [
    "STATE-011",
    { report: (session) => rightHost.report({ ...session, interactions: session.interactions.slice(-1) }) },
  ],
  "pairs-answers-with-other-requests": [
    "STATE-011",
    {
      report: ({ interactions, ...session }) =>
        rightHost.report({
          ...session,
          interactions: interactions.map((one, index) => ({
            ...one,
            messages: interactions.at(index - 1)?.messages ?? [],
          })),
        }),
    },
  ],
  "tells-the-last-first": [
    "STATE-011",
    { report: (session) => rightHost.report({ ...session, interactions: session.interactions.toReversed() }) },
  ],
});
