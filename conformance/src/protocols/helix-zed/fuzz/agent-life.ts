import * as fc from "fast-check";
import { lifeCycle, type LifeStep } from "../../../fuzz/suite.js";
import { agentBehaviors } from "./agent-player.js";

/**
 * What a host knows about a connection: how many messages of each session are unanswered, and which session has a
 * thread.
 */
interface Model {
  readonly sessions: { running: number; threaded: boolean }[];
}

type Arb = fc.Arbitrary<LifeStep<Model>>;

const MAX_SESSIONS = 4;
/** Messages that may wait for the turn that runs in a thread. */
const MAX_RUNNING = 3;
const number = fc.nat({ max: MAX_SESSIONS - 1 });
const at = ({ sessions }: Readonly<Model>, index: number): Model["sessions"][number] =>
  sessions[index] ?? { running: 0, threaded: false };

const chat: Arb = fc
  .tuple(number, fc.constantFrom(...Object.keys(agentBehaviors)), fc.nat({ max: 9 }))
  .map(([session, behavior, chance]) => ({
    step: { do: "chat", session, behavior, ...(chance === 0 && { interrupt: true }) },
    legal: (model) => at(model, session).running < MAX_RUNNING,
    apply(model) {
      at(model, session).running += 1;
      at(model, session).threaded = true;
    },
  }));

const finish: Arb = number.map((session) => ({
  step: { do: "finish", session },
  legal: (model) => at(model, session).running > 0,
  apply: (model) => void (at(model, session).running -= 1),
}));

const cancel: Arb = number.map((session) => ({
  step: { do: "cancel", session },
  legal: (model) => at(model, session).running > 0,
  apply: () => {},
}));

/** Sessions that still wait are given up with a connection: what it took along is nobody's fault. */
const lose = (model: Model): void => {
  for (const [index, { running }] of model.sessions.entries())
    if (running > 0) model.sessions[index] = { running: 0, threaded: false };
};
const seldom: Arb = fc.oneof<fc.WeightedArbitrary<LifeStep<Model>>[]>(
  {
    weight: 4,
    arbitrary: number.map((session) => ({
      step: { do: "open", session },
      legal: (model: Readonly<Model>) => at(model, session).threaded,
      apply: () => {},
    })),
  },
  { weight: 2, arbitrary: fc.constant({ step: { do: "ping" }, legal: () => true, apply: () => {} }) },
  {
    weight: 1,
    arbitrary: fc
      .nat({ max: 1 })
      .map((refusals) => ({ step: { do: "drop", refusals }, legal: () => true, apply: lose })),
  },
);

/** Sessions in any legal order of what a host does: sending, waiting, canceling, opening, losing the connection. */
export const agentLife = lifeCycle<Model>({
  start: () => ({ sessions: Array.from({ length: MAX_SESSIONS }, () => ({ running: 0, threaded: false })) }),
  steps: [chat, chat, chat, finish, finish, cancel, seldom],
});
