import { hasBehavior } from "./behaviors.js";
import type { Case } from "./case.js";
import type { CaseSetting } from "./case-setting.js";
import type { Checks } from "./checks.js";
import type { Connection, Listener } from "./connection.js";
import type { CaseContext } from "./context.js";
import { CaseEnd, ExpectationError, HarnessError } from "./errors.js";
import { randomOf } from "./seed.js";
import { act } from "./act.js";
import { openTalk } from "./open-talk.js";
import type { Talk } from "./talk.js";
import { handled } from "./waits.js";

const DEADLINE_MS = 5_000;
/**
 * A new process needs longer for its first answer on a busy machine. The handshake may take `STARTS` times as long as the
 * first start took, and at most `START_MS`.
 */
const STARTS = 20;
const START_MS = 20_000;

/** Makes what a case works with. `finish` closes what it opened. */
export function createContext(
  one: Case,
  connection: Connection,
  checks: Checks,
  setting: CaseSetting,
  listener: Listener,
): { context: CaseContext; finish(): Promise<void> } {
  const { time, suite, behaviors, profile } = setting;
  const { link, conversation } = connection;
  const deadline = one.deadline ?? DEADLINE_MS;
  const talks: { close(): void }[] = [];
  const others: Connection[] = [];
  const talkOn = (on: Connection): Talk => {
    const talk = openTalk({ conversation: on.conversation, time, deadline, fatal: on.fatal });
    talks.push(talk);
    return talk;
  };
  const talk = talkOn(connection);

  const check = (req: string, condition: boolean, findings = {}): boolean => {
    if (!one.emits.includes(req))
      throw new HarnessError(`case ${one.id} judges ${req}, which it does not declare in emits`);
    checks.judge("case", one.id, req, condition, { at: talk.now(), ...findings });
    return condition;
  };

  const context: CaseContext = {
    ...talk,
    role: suite.role,
    transport: link.transport,
    profile,
    time,
    extras: link.extras,
    check,
    async handshake() {
      if (conversation.handshake === undefined) {
        // Noise before the first message is judged by its monitor; the handshake goes on.
        const start = Math.min(START_MS, STARTS * (setting.startMs ?? START_MS));
        const patience = link.transport === "stdio" ? Math.max(deadline, start) : deadline;
        const first = openTalk({ conversation, time, deadline: patience, fatal: connection.fatal.lenient() });
        talks.push(first);
        conversation.handshake = await suite.handshake(first);
        connection.fatal.clear();
      }
      return conversation.handshake;
    },
    async require(req, awaited) {
      try {
        const value = await (typeof awaited === "function" ? awaited() : awaited);
        check(req, true);
        return value;
      } catch (error) {
        if (!(error instanceof ExpectationError)) throw error;
        const { message, details } = error;
        // An invalid message is judged by the monitor that found it, for its own requirement.
        if (error.miss === "invalid") throw new CaseEnd("failed", `the target sent an invalid message: ${message}`);
        check(req, false, { message, ...details });
        throw new CaseEnd("failed", `${req}: ${message}`);
      }
    },
    pass(...reqs) {
      for (const req of reqs) check(req, true);
    },
    notApplicable(reason): never {
      throw new CaseEnd("not-applicable", reason);
    },
    blocked(reason): never {
      throw new CaseEnd("blocked", reason);
    },
    needs(condition, reason) {
      if (!condition) throw new CaseEnd("not-applicable", reason);
    },
    say(behavior, args = {}) {
      if (!hasBehavior(behaviors, behavior)) {
        throw new CaseEnd("blocked", `the target cannot be told to show "${behavior}" (behaviors: ${behaviors.mode})`);
      }
      return behaviors.say(behavior, args);
    },
    act: (action, args, options) =>
      handled(act(link.control, { action, args, ...options, budget: time.deadline(deadline) })),
    async connect() {
      const other = await setting.connect();
      other.attach(listener);
      others.push(other);
      return talkOn(other);
    },
    halfClose() {
      requireOwn(one);
      link.halfClose();
    },
    async hangUp() {
      requireOwn(one);
      await connection.close();
    },
    random: randomOf(setting.seed, one.id),
    note: (text) => void connection.trace.add({ kind: "event", from: "suite", name: "note", data: text }),
  };
  const finish = async (): Promise<void> => {
    for (const each of talks) each.close();
    await Promise.all(others.map((each) => each.close()));
  };
  return { context, finish };
}

function requireOwn({ id, isolation }: Case): void {
  if (isolation !== "connection") throw new HarnessError(`case ${id} ends a connection that it shares`);
}
