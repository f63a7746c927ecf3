import * as fc from "fast-check";
import { lifeSteps, newSessions, oneOf } from "../../../fuzz/life.js";
import { lifeCycle } from "../../../fuzz/suite.js";
import type { Ending } from "./host-player.js";

interface ModelSession {
  /** The message that is with the agent, and those of its user that wait for its end. */
  running: number;
  /** Some message is answered already. */
  past: boolean;
}

/** The agent's knowledge of a connection: its sessions, and which of them wait for an answer. */
interface Model {
  readonly sessions: ModelSession[];
}

const MAX_RUNNING = 3;
const endings: readonly Ending[] = ["completed", "completed", "failed", "cancelled"];

/** Reports of an agent about itself, about threads of its own user, and without a request. */
const news: readonly (readonly [name: string, params: Record<string, unknown>])[] = [
  ["ping", { timestamp: 1_759_410_084 }],
  ["agent_ready", { agent_name: "suite", thread_id: null }],
  ["user_created_thread", { acp_thread_id: "thread-of-the-user", title: "Mine" }],
  ["thread_title_changed", { acp_thread_id: "thread-of-the-user", title: "Still mine" }],
  [
    "message_added",
    { acp_thread_id: "thread-of-the-user", message_id: "1", role: "user", content: "Hello", timestamp: 1_759_410_084 },
  ],
  ["message_completed", { acp_thread_id: "thread-of-nobody", message_id: "0", request_id: "req-of-nobody" }],
  ["turn_cancelled", { request_id: "req-of-nobody", status: "noop" }],
];

const { step, inSession } = lifeSteps<ModelSession, Model>("session", ({ sessions }) => sessions);
const isRunning = ({ running }: ModelSession): boolean => running > 0;

const chat = inSession("chat", {
  legal: ({ running }) => running < MAX_RUNNING,
  apply: (session) => void (session.running += 1),
});

const thread = inSession("thread", { args: oneOf("name", "context_created", "thread_created"), legal: isRunning });

const say = inSession("say", {
  args: fc
    .tuple(fc.nat({ max: 2 }), fc.constantFrom("One", "One and two", "", "Three \u00e4\ud83d\ude00"))
    .map(([message, content]) => ({ message, content })),
  legal: isRunning,
});

const end = inSession("end", {
  args: oneOf("how", ...endings),
  legal: isRunning,
  apply(session) {
    session.running -= 1;
    session.past = true;
  },
});

/** Events behind the end of a turn, as an agent sends them when it repeats itself. */
const late = inSession("late", { legal: ({ running, past }) => past && running === 0 });
const twice = inSession("twice", { legal: ({ past }) => past });

const tell = step("event", { args: fc.constantFrom(...news).map(([name, params]) => ({ name, params })) });
const connection = fc.oneof(step("drop"), step("redial"), step("ping"));

/**
 * Sessions in any legal order of an agent's messages, on one connection after another, and of the messages that users
 * send meanwhile.
 */
export const hostLife = lifeCycle<Model>({
  start: () => ({ sessions: newSessions({ running: 0, past: false }) }),
  steps: [chat, chat, chat, thread, say, say, say, end, end, late, twice, tell, connection],
});
