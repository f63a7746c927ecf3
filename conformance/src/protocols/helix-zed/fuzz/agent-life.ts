import * as fc from "fast-check";
import { lifeSteps, newSessions } from "../../../fuzz/life.js";
import { lifeCycle } from "../../../fuzz/suite.js";
import { agentBehaviors } from "./agent-player.js";

interface ModelSession {
  running: number;
  threaded: boolean;
}

/**
 * The host's knowledge of a connection: the number of unanswered messages of each session, and which session has a
 * thread.
 */
interface Model {
  readonly sessions: ModelSession[];
}

/** Messages that may wait for the turn that runs in a thread. */
const MAX_RUNNING = 3;
const { step, inSession } = lifeSteps<ModelSession, Model>("session", ({ sessions }) => sessions);
const idle = { running: 0, threaded: false };
const isRunning = ({ running }: ModelSession): boolean => running > 0;

const chat = inSession("chat", {
  args: fc
    .tuple(fc.constantFrom(...Object.keys(agentBehaviors)), fc.nat({ max: 9 }))
    .map(([behavior, chance]) => ({ behavior, ...(chance === 0 && { interrupt: true }) })),
  legal: ({ running }) => running < MAX_RUNNING,
  apply(session) {
    session.running += 1;
    session.threaded = true;
  },
});

const finish = inSession("finish", { legal: isRunning, apply: (session) => void (session.running -= 1) });
const cancel = inSession("cancel", { legal: isRunning });

const drop = step("drop", {
  args: fc.nat({ max: 1 }).map((refusals) => ({ refusals })),
  // Sessions that still wait are given up with a connection: what it took along is nobody's fault.
  apply({ sessions }) {
    for (const session of sessions) if (isRunning(session)) Object.assign(session, idle);
  },
});

const seldom = fc.oneof(
  { weight: 4, arbitrary: inSession("open", { legal: ({ threaded }) => threaded }) },
  { weight: 2, arbitrary: step("ping") },
  { weight: 1, arbitrary: drop },
);

/** Sessions in any legal order of what a host does: sending, waiting, canceling, opening, losing the connection. */
export const agentLife = lifeCycle<Model>({
  start: () => ({ sessions: newSessions(idle) }),
  steps: [chat, chat, chat, finish, finish, cancel, seldom],
});
