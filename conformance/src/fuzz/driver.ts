import { behaviorsBy, type BehaviorProvider, hasBehavior } from "../core/run/behaviors.js";
import type { Lookup } from "../core/verdict/check.js";
import { type Connection, type ConnectionOptions, openConnection } from "../core/talk/connection.js";
import { ExpectationError } from "../core/errors.js";
import { openTalk } from "../core/talk/open-talk.js";
import { bindsIn } from "../core/registry/profile.js";
import type { RoleSuite } from "../core/protocol.js";
import { violationOf } from "../core/registry/requirement.js";
import { scaledTime, startTime } from "../core/talk/time.js";
import type { TraceEntry } from "../trace/trace.js";
import { TargetError } from "../wire/link.js";
import type { FuzzPlayer, FuzzStep, FuzzSuite } from "./suite.js";

/** The target did something that it must not do, or nothing where it must answer. */
export class FuzzProblem extends Error {
  override readonly name = "FuzzProblem";
}

/** The steps of one run, and its result. */
export interface FuzzRun {
  readonly steps: readonly FuzzStep[];
  readonly problem: string;
  readonly trace: readonly TraceEntry[];
}

/** How runs are driven. */
export interface DriverOptions extends ConnectionOptions {
  readonly suite: RoleSuite;
  readonly fuzz: FuzzSuite;
  readonly lookup: Lookup;
  readonly behaviors: BehaviorProvider | undefined;
  readonly timeScale: number;
}

const DEADLINE_MS = 5_000;
const START_MS = 30_000;
/** The number of runs on one connection. A target that accumulates state over this number of runs is not at fault. */
const RUNS_PER_CONNECTION = 100;

/** Plays steps against a target, on one connection until something is wrong with it. */
export class FuzzDriver {
  /** The last run that failed: after shrinking, the smallest. */
  failure: FuzzRun | undefined;
  /** The target cannot be started or reached any more. */
  gone: TargetError | undefined;
  #connection: Connection | undefined;
  #runs = 0;

  readonly #options: DriverOptions;

  constructor(options: DriverOptions) {
    this.#options = options;
  }

  /** One run. Rejects with a `FuzzProblem` that `failure` then tells about. */
  async run(play: (player: FuzzPlayer, handshake: unknown) => Promise<void>): Promise<void> {
    const { suite, fuzz, lookup, profile, behaviors = behaviorsBy("none"), timeScale } = this.#options;
    const connection = (this.#connection ??= await this.#open());
    const { conversation, trace, fatal } = connection;
    const problems: string[] = [];
    const steps: FuzzStep[] = [];
    const from = trace.entries.length;
    let isWorn = false;
    connection.attach({
      judged: (monitor, req, condition, { message }) => {
        if (!condition && bindsIn(lookup(req), profile.name) && violationOf(lookup(req)) === "fail")
          problems.push(`${monitor.id}#${req}: ${message ?? lookup(req).text}`);
      },
      broken: (message) => void problems.push(message),
    });
    const setting = { conversation, time: scaledTime(timeScale), fatal };
    try {
      if (conversation.handshake === undefined) {
        const first = openTalk({ ...setting, time: startTime(timeScale), deadline: START_MS, fatal: fatal.lenient() });
        conversation.handshake = await suite.handshake(first, profile);
        first.close();
        fatal.clear();
      }
      const talk = openTalk({ ...setting, deadline: DEADLINE_MS });
      const say = (name: string, args = {}): string | undefined =>
        hasBehavior(behaviors, name) ? behaviors.say(name, args) : undefined;
      const player = fuzz.open({ talk, handshake: conversation.handshake, say });
      const record = async (step: FuzzStep): Promise<void> => {
        steps.push(step);
        await player.play(step);
      };
      await play({ play: record, finish: () => player.finish() }, conversation.handshake);
      await player.finish();
      isWorn = player.isWorn === true;
      talk.close();
    } catch (error) {
      if (!(error instanceof ExpectationError)) throw error;
      const { expected } = error.details;
      problems.push(`${error.message}${expected === undefined ? "" : ` (while waiting for ${expected})`}`);
    }
    const isUsedUp = ++this.#runs % RUNS_PER_CONNECTION === 0;
    if (problems.length > 0 || isWorn || isUsedUp) await this.close();
    const [problem] = problems;
    if (problem === undefined) return;
    this.failure = { steps, problem, trace: trace.entries.slice(from) };
    throw new FuzzProblem(problem);
  }

  /** Ends the connection; the next run opens another. */
  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close();
  }

  async #open(): Promise<Connection> {
    if (this.gone !== undefined) throw this.gone;
    try {
      return await openConnection(this.#options);
    } catch (error) {
      if (error instanceof TargetError) this.gone = error;
      throw error;
    }
  }
}
