import { mutant, type Mutant } from "../../../core/mutant.js";
import { rightHost, waits } from "../reference/host-behavior.js";
import { reaction, ending, patch } from "./host-patch.js";

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
export const stateMutants: readonly Mutant[] = [
  mutant("helix-zed.host/created-completes", {
    violates: ["HELIX-STATE-001", "HELIX-STATE-003"],
    collateral: ["HELIX-STATE-002"],
    patch: ending((_interaction, { name }) => (name === "context_created" ? "complete" : undefined)),
  }),
  mutant("helix-zed.host/created-makes-an-interaction", {
    violates: ["HELIX-STATE-001"],
    patch: patch({
      created(session, thread) {
        rightHost.created(session, thread);
        session.interactions.push({ requestId: `made-for-${thread}`, message: "", state: "complete", messages: [] });
      },
    }),
  }),
  mutant("helix-zed.host/appends-updates", {
    violates: ["HELIX-STATE-002"],
    patch: patch({
      updated: (messages, id, content) =>
        rightHost.updated(messages, id, `${messages.find(([known]) => known === id)?.[1] ?? ""}${content}`),
    }),
  }),
  mutant("helix-zed.host/keeps-the-first-update", {
    violates: ["HELIX-STATE-002"],
    patch: patch({
      updated: (messages, id, content) =>
        messages.some(([known]) => known === id) ? messages : [...messages, [id, content]],
    }),
  }),
  mutant("helix-zed.host/only-grows", {
    violates: ["HELIX-STATE-002"],
    patch: patch({
      updated: (messages, id, content) =>
        messages.some(([known, before]) => known === id && before.length > content.length)
          ? messages
          : rightHost.updated(messages, id, content),
    }),
  }),
  mutant("helix-zed.host/updates-complete", {
    violates: ["HELIX-STATE-002", "HELIX-STATE-003"],
    patch: ending((_interaction, { name }) => (name === "message_added" ? "complete" : undefined)),
  }),
  mutant("helix-zed.host/empties-the-complete", {
    violates: ["HELIX-STATE-002"],
    cases: ["helix-zed.host.state.overwritten"],
    patch: patch({
      report: (session) =>
        rightHost.report({
          ...session,
          interactions: session.interactions.map((one) => (one.state === "complete" ? { ...one, messages: [] } : one)),
        }),
    }),
  }),
  mutant("helix-zed.host/second-messages-complete", {
    violates: ["HELIX-STATE-003"],
    patch: ending(({ messages }) => (messages.length > 1 ? "complete" : undefined)),
  }),
  mutant("helix-zed.host/never-completes", {
    violates: ["HELIX-STATE-003"],
    cases: ["helix-zed.host.state.completed"],
    patch: ending(({ state }) => state),
  }),
  mutant("helix-zed.host/completes-the-oldest", {
    violates: ["HELIX-STATE-004"],
    patch: patch({
      sessionOf: (event, all) =>
        event.name === "message_completed"
          ? all.find(({ interactions }) => interactions.some(waits))
          : rightHost.sessionOf(event, all),
      interactionOf: (event, session) =>
        event.name === "message_completed" ? session.interactions.find(waits) : rightHost.interactionOf(event, session),
    }),
  }),
  mutant("helix-zed.host/takes-any-completion", {
    violates: ["HELIX-STATE-004", "HELIX-STATE-005"],
    patch: patch({ interactionOf: (_event, { interactions }) => interactions.find(waits) }),
  }),
  mutant("helix-zed.host/dies-of-second-completions", { violates: ["HELIX-STATE-005"], patch: countingCompletions }),
  mutant("helix-zed.host/dies-of-unknown-requests", {
    violates: ["HELIX-STATE-005"],
    patch: reaction("die", ({ data }) => data["request_id"] === "req_of_nobody"),
  }),
  mutant("helix-zed.host/listens-to-strangers", {
    violates: ["HELIX-STATE-005"],
    patch: patch({
      sessionOf: (event, all) =>
        rightHost.sessionOf(event, all) ?? all.findLast(({ interactions }) => interactions.some(waits)),
    }),
  }),
  mutant("helix-zed.host/takes-late-updates", {
    violates: ["HELIX-STATE-006"],
    patch: patch({
      grows: () => true,
      interactionOf: (event, session) => rightHost.interactionOf(event, session) ?? session.interactions.at(-1),
    }),
  }),
  mutant("helix-zed.host/late-updates-reopen", {
    violates: ["HELIX-STATE-006"],
    patch: {
      ...ending(({ state }, { name }) => (state === "complete" && name === "message_added" ? "waiting" : undefined)),
      ...patch({
        interactionOf: (event, session) => rightHost.interactionOf(event, session) ?? session.interactions.at(-1),
      }),
    },
  }),
  mutant("helix-zed.host/one-message-only", {
    violates: ["HELIX-STATE-007"],
    patch: patch({ updated: (_messages, id, content) => [[id, content]] }),
  }),
  mutant("helix-zed.host/newest-update-last", {
    violates: ["HELIX-STATE-007"],
    patch: patch({
      updated: (messages, id, content) => [...messages.filter(([known]) => known !== id), [id, content]],
    }),
  }),
  mutant("helix-zed.host/updates-the-last-message", {
    violates: ["HELIX-STATE-007"],
    patch: patch({
      updated: (messages, id, content) =>
        messages.some(([known]) => known === id)
          ? [...messages.slice(0, -1), [id, content]]
          : [...messages, [id, content]],
    }),
  }),
  mutant("helix-zed.host/wants-the-message-of-a-completion", {
    violates: ["HELIX-STATE-008"],
    patch: ending(({ messages, state }, { name, data }) =>
      name === "message_completed" && !messages.some(([id]) => id === data["message_id"]) ? state : undefined,
    ),
  }),
  mutant("helix-zed.host/first-thread-stays", {
    violates: ["HELIX-STATE-009"],
    patch: patch({
      created(session, thread) {
        session.thread ??= thread;
      },
    }),
  }),
  mutant("helix-zed.host/empty-is-an-error", {
    violates: ["HELIX-STATE-010"],
    patch: ending(({ messages }, { name }) =>
      name === "message_completed" && messages.length === 0 ? "error" : undefined,
    ),
  }),
  mutant("helix-zed.host/waits-for-a-word", {
    violates: ["HELIX-STATE-010"],
    cases: ["helix-zed.host.state.empty"],
    patch: ending(({ messages, state }, { name }) =>
      name === "message_completed" && messages.length === 0 ? state : undefined,
    ),
  }),
  mutant("helix-zed.host/remembers-the-last", {
    violates: ["HELIX-STATE-011"],
    patch: patch({
      report: (session) => rightHost.report({ ...session, interactions: session.interactions.slice(-1) }),
    }),
  }),
  mutant("helix-zed.host/pairs-answers-with-other-requests", {
    violates: ["HELIX-STATE-011"],
    patch: patch({
      report: ({ interactions, ...session }) =>
        rightHost.report({
          ...session,
          interactions: interactions.map((one, index) => ({
            ...one,
            messages: interactions.at(index - 1)?.messages ?? [],
          })),
        }),
    }),
  }),
  mutant("helix-zed.host/tells-the-last-first", {
    violates: ["HELIX-STATE-011"],
    patch: patch({
      report: (session) => rightHost.report({ ...session, interactions: session.interactions.toReversed() }),
    }),
  }),
];
