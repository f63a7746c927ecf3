import type { Mutant } from "../../../core/mutant.js";
import { isId, rightHost, waits } from "../reference/host-behavior.js";
import { broken, ending, patch, reaction } from "./host-patch.js";

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

/** Reports no session in which an unknown request was completed, like a host that has ended. */
function endingReports(): Partial<typeof rightHost> {
  const ended = new Set<unknown>();
  return {
    interactionOf(event, session) {
      if (event.data["request_id"] === "req_of_nobody") ended.add(session);
      return rightHost.interactionOf(event, session);
    },
    report(session) {
      if (ended.has(session)) throw new Error("the host has ended");
      return rightHost.report(session);
    },
  };
}

const QUIET_MS = 50;

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
  "updates-move-the-session": [
    "SEND-003",
    {
      sessionOf(event, all) {
        const session = rightHost.sessionOf(event, all);
        if (session !== undefined && event.name === "message_added" && isId(event.thread))
          session.thread = event.thread;
        return session;
      },
    },
    { cases: ["state.other-thread"] },
  ],
  "completes-the-first-turn-only": [
    "STATE-003",
    {
      interactionOf: (event, session) =>
        event.name === "message_completed" ? session.interactions[0] : rightHost.interactionOf(event, session),
    },
    { cases: ["send.follow-up"] },
  ],
  "appends-updates": [
    "STATE-002",
    {
      updated: (messages, id, content) =>
        rightHost.updated(messages, id, `${messages.find(([known]) => known === id)?.[1] ?? ""}${content}`),
    },
  ],
  "shows-html": [
    "STATE-002",
    {
      updated: (messages, id, content) =>
        rightHost.updated(messages, id, content.replaceAll("&", "&amp;").replaceAll("<", "&lt;")),
    },
    { cases: ["state.overwritten"] },
  ],
  "shows-ascii": [
    "STATE-002",
    { updated: (messages, id, content) => rightHost.updated(messages, id, content.replaceAll(/[^ -~\n]/gu, "?")) },
    { cases: ["state.overwritten"] },
  ],
  "sorts-by-id": [
    "STATE-007",
    {
      updated: (messages, id, content) =>
        rightHost.updated(messages, id, content).toSorted(([one], [two]) => (String(one) < String(two) ? -1 : 1)),
    },
    { cases: ["state.messages"] },
  ],
  "keeps-the-first-update": [
    "STATE-002",
    {
      updated: (messages, id, content) =>
        messages.some(([known]) => known === id) ? messages : [...messages, [id, content]],
    },
  ],
  "only-grows": [
    "STATE-002",
    {
      updated: (messages, id, content) =>
        messages.some(([known, before]) => known === id && before.length > content.length)
          ? messages
          : rightHost.updated(messages, id, content),
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
  "second-messages-complete": ["STATE-003", ending(({ messages }) => (messages.length > 1 ? "complete" : undefined))],
  "completes-what-is-quiet": [
    "STATE-003",
    {
      grows(interaction) {
        setTimeout(() => (interaction.state = "complete"), QUIET_MS).unref();
        return waits(interaction);
      },
    },
    { cases: ["state.quiet"], collateral: ["STATE-002"] },
  ],
  "never-completes": ["STATE-003", ending(({ state }) => state), { cases: ["state.completed"] }],
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
  "dies-of-unknown-requests": ["STATE-005", reaction("die", ({ data }) => data["request_id"] === "req_of_nobody")],
  "reports-nothing-after-unknown-requests": ["STATE-005", endingReports, { cases: ["state.unknown-request"] }],
  "listens-to-strangers": [
    "STATE-005",
    {
      sessionOf: (event, all) =>
        rightHost.sessionOf(event, all) ?? all.findLast(({ interactions }) => interactions.some(waits)),
    },
  ],
  "takes-late-updates": [
    "STATE-006",
    {
      grows: () => true,
      interactionOf: (event, session) => rightHost.interactionOf(event, session) ?? session.interactions.at(-1),
    },
  ],
  "late-updates-reopen": [
    "STATE-006",
    {
      ...ending(({ state }, { name }) => (state === "complete" && name === "message_added" ? "waiting" : undefined)),
      ...patch({
        interactionOf: (event, session) => rightHost.interactionOf(event, session) ?? session.interactions.at(-1),
      }),
    },
  ],
  "one-message-only": ["STATE-007", { updated: (_messages, id, content) => [[id, content]] }],
  "newest-update-last": [
    "STATE-007",
    { updated: (messages, id, content) => [...messages.filter(([known]) => known !== id), [id, content]] },
  ],
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
  "waits-for-a-word": [
    "STATE-010",
    ending(({ messages, state }, { name }) =>
      name === "message_completed" && messages.length === 0 ? state : undefined,
    ),
    { cases: ["state.empty"] },
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
