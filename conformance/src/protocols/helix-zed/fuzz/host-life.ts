import * as fc from "fast-check";
import { lifeCycle, type LifeStep } from "../../../fuzz/suite.js";
import type { Ending } from "./host-player.js";

interface ModelSession {
  /** The message that is with the agent, and those of its user that wait for its end. */
  running: number;
  /** Some message is answered already. */
  past: boolean;
}

/** What an agent knows about a connection: which sessions there are, and which of them wait for an answer. */
interface Model {
  readonly sessions: ModelSession[];
}

type Arb = fc.Arbitrary<LifeStep<Model>>;

const MAX_SESSIONS = 4;
const MAX_RUNNING = 3;
const number = fc.nat({ max: MAX_SESSIONS - 1 });
const at = ({ sessions }: Readonly<Model>, index: number): ModelSession =>
  sessions[index] ?? { running: 0, past: false };
const runs = (model: Readonly<Model>, index: number): boolean => at(model, index).running > 0;

/** What an agent reports about itself, about threads that its user has, and without a request. */
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

const chat: Arb = number.map((session) => ({
  step: { do: "chat", session },
  legal: (model) => at(model, session).running < MAX_RUNNING,
  apply: (model) => void (at(model, session).running += 1),
}));

const thread: Arb = fc.tuple(number, fc.constantFrom("context_created", "thread_created")).map(([session, name]) => ({
  step: { do: "thread", session, name },
  legal: (model) => runs(model, session),
  apply: () => {},
}));

const say: Arb = fc
  .tuple(number, fc.nat({ max: 2 }), fc.constantFrom("One", "One and two", "", "Three \u00e4\ud83d\ude00"))
  .map(([session, message, content]) => ({
    step: { do: "say", session, message, content },
    legal: (model) => runs(model, session),
    apply: () => {},
  }));

const end: Arb = fc
  .tuple(number, fc.constantFrom<Ending>("completed", "completed", "failed", "cancelled"))
  .map(([session, how]) => ({
    step: { do: "end", session, how },
    legal: (model) => runs(model, session),
    apply(model) {
      at(model, session).running -= 1;
      at(model, session).past = true;
    },
  }));

/** What comes behind the end of a turn, as it does when an agent says it once more. */
const late: Arb = number.map((session) => ({
  step: { do: "late", session },
  legal: (model) => at(model, session).past && !runs(model, session),
  apply: () => {},
}));
const twice: Arb = number.map((session) => ({
  step: { do: "twice", session },
  legal: (model) => at(model, session).past,
  apply: () => {},
}));

const tell: Arb = fc
  .constantFrom(...news)
  .map(([name, params]) => ({ step: { do: "event", name, params }, legal: () => true, apply: () => {} }));

const connection: Arb = fc
  .constantFrom("drop", "redial", "ping")
  .map((what) => ({ step: { do: what }, legal: () => true, apply: () => {} }));

/**
 * Sessions in any legal order of an agent's messages, on one connection after another, and of the messages that users
 * send meanwhile.
 */
export const hostLife = lifeCycle<Model>({
  start: () => ({ sessions: Array.from({ length: MAX_SESSIONS }, () => ({ running: 0, past: false })) }),
  steps: [chat, chat, chat, thread, say, say, say, end, end, late, twice, tell, connection],
});
