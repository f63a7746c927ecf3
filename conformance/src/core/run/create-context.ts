import { isObject } from "@editwire/core";
import { hasBehavior } from "./behaviors.js";
import type { Case } from "./case.js";
import type { CaseSetting } from "./case-setting.js";
import type { Checks } from "../verdict/checks.js";
import type { Connection, Listener } from "../talk/connection.js";
import type { CaseContext } from "./context.js";
import { CaseEnd, ExpectationError, HarnessError } from "../errors.js";
import { randomOf } from "./seed.js";
import { act } from "../talk/act.js";
import { type Link, TargetError } from "../../wire/link.js";
import type { Pool } from "./pool.js";
import { type OpenTalk, openTalk } from "../talk/open-talk.js";
import type { Talk } from "../talk/talk.js";
import type { Silence } from "../talk/silence.js";
import type { Time } from "../talk/time.js";
import { handled } from "../talk/waits.js";

const DEADLINE_MS = 5_000;
/** The model of a target that answers a plain prompt may take its time. */
const PLAIN_MS = 30_000;
/**
 * A new process needs longer for its first answer on a busy machine. The handshake may take `STARTS` times as long as
 * the first start took, and at most `START_MS`.
 */
const STARTS = 20;
const START_MS = 20_000;

/** Implements `check`, `require` and the other judging functions of a case. */
type Judging = Pick<CaseContext, "check" | "require" | "pass" | "notApplicable" | "blocked" | "needs">;

/** The parts of a run that the context of one case uses. */
interface ContextSetting extends CaseSetting {
  /** Lends connections that no case uses now. */
  readonly pool: Pool;
  readonly listener: Listener;
}

/** Creates the context of a case. `finish` closes what the case opened. */
export function createContext(
  one: Case,
  connection: Connection,
  checks: Checks,
  setting: ContextSetting,
): { context: CaseContext; asked: ReadonlySet<string>; finish(): Promise<void> } {
  const { time, suite, behaviors, profile, known } = setting;
  const { link, trace } = connection;
  const plain = behaviors.mode === "none";
  const usual = one.deadline ?? (one.isolation === "unopened" ? START_MS : DEADLINE_MS);
  const deadline = plain && one.plain === true ? Math.max(usual, PLAIN_MS) : usual;
  const talks = new Talks(time, known.silence);
  const others = new Others(setting, link, (other) => talks.open(other, deadline));
  const asked = new Set<string>();
  const talk = talks.open(connection, deadline);
  const extras = isObject(link.extras) ? { ...link.extras } : {};

  const context: CaseContext = {
    ...talk,
    ...judgingOf(one, checks, () => talk.now()),
    role: suite.role,
    transport: link.transport,
    profile,
    time,
    plain,
    known,
    extras: link.extras,
    handshake: () => shakeHands(one, connection, setting, talks),
    say(behavior, args = {}) {
      if (hasBehavior(behaviors, behavior)) {
        asked.add(behavior);
        return behaviors.say(behavior, args);
      }
      throw new CaseEnd("blocked", `the target cannot show "${behavior}" on request (behaviors: ${behaviors.mode})`);
    },
    act: actions(connection, setting, deadline),
    connect: () => others.connect(),
    bystander: () => others.bystander(),
    halfClose() {
      requireOwn(one);
      link.halfClose();
    },
    async hangUp() {
      requireOwn(one);
      await connection.close();
    },
    random: randomOf(setting.seed, one.id),
    note: (text) => void trace.add({ kind: "event", from: "suite", name: "note", data: text }),
  };
  const finish = async (): Promise<void> => {
    talks.close();
    // A case may have replaced some of them.
    if (isObject(link.extras)) Object.assign(link.extras, extras);
    await others.close();
  };
  return { context, asked, finish };
}

/** The connections that a case uses beside its own. */
class Others {
  readonly #setting: ContextSetting;
  readonly #link: Link;
  readonly #open: (other: Connection) => Talk;
  readonly #opened: Connection[] = [];
  readonly #lent: Connection[] = [];

  constructor(setting: ContextSetting, link: Link, open: (other: Connection) => Talk) {
    this.#setting = setting;
    this.#link = link;
    this.#open = open;
  }

  async connect(): Promise<Talk> {
    const other = await this.#setting.connect(undefined, this.#link);
    this.#opened.push(other);
    return this.#talk(other);
  }

  async bystander(): Promise<Talk> {
    const other = await this.#setting.pool.takeBeside("session");
    this.#lent.push(other);
    const talk = this.#talk(other);
    other.conversation.handshake ??= await this.#setting.suite.handshake(talk, this.#setting.profile);
    return talk;
  }

  async close(): Promise<void> {
    const { pool } = this.#setting;
    await Promise.all([
      ...this.#opened.map((each) => each.close()),
      ...this.#lent.map((each) => pool.give("session", each)),
    ]);
  }

  #talk(other: Connection): Talk {
    other.attach(this.#setting.listener);
    return this.#open(other);
  }
}

/** The talks of one case; they end with the case. */
class Talks {
  readonly #time: Time;
  readonly #silence: Silence;
  readonly #open: OpenTalk[] = [];

  constructor(time: Time, silence: Silence) {
    this.#time = time;
    this.#silence = silence;
  }

  open({ conversation, fatal }: Pick<Connection, "conversation" | "fatal">, deadline: number, time = this.#time): Talk {
    const talk = openTalk({ conversation, time, deadline, fatal, silence: this.#silence });
    this.#open.push(talk);
    return talk;
  }

  close(): void {
    for (const talk of this.#open) talk.close();
  }
}

/** Returns the result of a connection's handshake. Makes the handshake first if there was none. */
async function shakeHands(
  { framing, deadline = DEADLINE_MS }: Case,
  { conversation, fatal, link }: Connection,
  { startMs = START_MS, startTime, suite, known, profile, time, framing: usual }: CaseSetting,
  talks: Talks,
): Promise<unknown> {
  if (conversation.handshake !== undefined) return conversation.handshake;
  const cause = framing && known.cause(`framing ${framing}`);
  if (cause !== undefined) throw new CaseEnd("blocked", cause);
  const isStart = link.transport === "stdio";
  const patience = isStart ? Math.max(deadline, Math.min(START_MS, STARTS * startMs)) : deadline;
  // A monitor judges noise before the first message. The handshake continues.
  const talk = talks.open({ conversation, fatal: fatal.lenient() }, patience, isStart ? startTime : time);
  try {
    conversation.handshake = await suite.handshake(talk, profile);
  } catch (error) {
    if (framing !== undefined && framing !== usual && error instanceof ExpectationError && error.miss !== "mismatch")
      known.blame(`framing ${framing}`, `the target does not answer messages in ${framing} framing`);
    throw error;
  }
  fatal.clear();
  return conversation.handshake;
}

function judgingOf(one: Case, checks: Checks, now: () => number): Judging {
  const check = (req: string, condition: boolean, findings = {}): boolean => {
    if (!one.emits.includes(req))
      throw new HarnessError(`case ${one.id} judges ${req}, which it does not declare in emits`);
    checks.judge("case", one.id, req, condition, { at: now(), ...findings });
    return condition;
  };
  return {
    check,
    async require(req, awaited) {
      try {
        const value = await (typeof awaited === "function" ? awaited() : awaited);
        check(req, true);
        return value;
      } catch (thrown) {
        const error = thrown instanceof TargetError ? unreached(thrown) : thrown;
        if (!(error instanceof ExpectationError)) throw error;
        const { message, details } = error;
        // The monitor that found an invalid message judges it, for its own requirement.
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
  };
}

/** A connection that a requirement promises, and that the target does not accept. */
function unreached({ message }: TargetError): ExpectationError {
  return new ExpectationError("closed", message, { expected: "a further connection", actual: "none" });
}

/** Makes the target of a connection act. The time of the first actions limits the time of the others. */
function actions(
  { link, conversation }: Connection,
  { time, known }: ContextSetting,
  deadline: number,
): CaseContext["act"] {
  return (action, args, options) => {
    const budget = Math.max(time.deadline(deadline), known.actionPatience);
    const acting = timed(act(link.control, { action, args, ...options, budget }), (ms) => known.acted(ms));
    return handled(conversation.acting(acting));
  };
}

/** Passes on a promise, and how long it took to resolve. */
async function timed<T>(promise: Promise<T>, took: (ms: number) => void): Promise<T> {
  const start = performance.now();
  const value = await promise;
  took(performance.now() - start);
  return value;
}

function requireOwn({ id, isolation }: Case): void {
  if (isolation !== "connection" && isolation !== "last")
    throw new HarnessError(`case ${id} ends a connection that it shares`);
}
