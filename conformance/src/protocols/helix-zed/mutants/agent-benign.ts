import { without } from "../../../packs/rewrites.js";
import { benignTexts } from "../../../packs/benign.js";
import { mutant, type Mutant } from "../../../core/mutant.js";
import { type AgentBehavior, event, rightAgent, v2026Agent } from "../reference/agent-behavior.js";
import { benign, dataOf, namelessFor, patch, told } from "./agent-patch.js";

/** Says everything a little later, in order. */
function slow(): Partial<AgentBehavior> {
  let before = Promise.resolve();
  return patch({
    write(socket, data) {
      before = before
        .then(() => new Promise((resolve) => void setTimeout(resolve, 2)))
        .then(() => socket.send(data, () => {}));
    },
  });
}

/**
 * How Zed deviates from the specification: it sends no session, names the thread by its new name, and does not say
 * which message was the last.
 */
const likeZed = patch({
  hello: (id) => [event(id, "ping", { timestamp: seconds() }), ...v2026Agent.hello(id)],
  outgoing(said) {
    if (said["event_type"] === "context_created") return [];
    const data = dataOf(said);
    return [
      {
        ...without(said, "session_id"),
        data: "message_id" in data && "usage" in data ? { ...data, message_id: "0" } : data,
      },
    ];
  },
});

const seconds = (): number => Math.floor(Date.now() / 1_000);

/** Agents that are as right as the reference in a way of their own: nothing may be held against them. */
export const benignAgents: readonly Mutant[] = [
  ...benignTexts("helix-zed.agent"),
  ...benign({
    "own-fields": {
      outgoing: (said) => [{ ...said, "x-trace": 1, data: { ...dataOf(said), "x-vendor": { deep: [1] } } }],
    },
    fragments: {
      write(socket, data) {
        const text = String(data);
        socket.send(text.slice(0, 9), { fin: false });
        socket.send(text.slice(9));
      },
    },
    slow: slow,
    "one-update": { showsAtOnce: (behavior) => behavior === "slow" },
    "every-update-twice": told("message_added", (said) => [said, said]),
    // As agents do that tell everything of a turn once more before its end.
    "all-again-at-the-end": {
      finished: (turn, failed) => [
        ...turn.messages.flatMap((message) => rightAgent.added(turn, message)),
        ...rightAgent.finished(turn, failed),
      ],
    },
    // As agents do that number the entries of a thread.
    "counts-messages": () => {
      let count = 0;
      return { messageId: () => String(++count) };
    },
    pings: { hello: (id) => [event(id, "ping", { timestamp: seconds() })] },
    titles: told("message_completed", (said, data) => [
      event(said["session_id"], "thread_title_changed", { acp_thread_id: data["acp_thread_id"], title: "Greeting" }),
      said,
    ]),
    "session-of-the-dial": namelessFor((dialed) => dialed),
    "of-2026": v2026Agent,
  }),
  mutant("helix-zed.agent/benign-zed", {
    violates: [],
    cases: ["*"],
    profile: "v2026",
    patch: { ...v2026Agent, ...likeZed },
  }),
];
