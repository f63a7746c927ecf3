import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { type BehaviorMode, behaviorsBy } from "../core/run/behaviors.js";
import { HarnessError, UsageError } from "../core/errors.js";
import { exitCodeOf, type Outcome } from "../core/verdict/exit-code.js";
import { profileOf, roleOf } from "../core/talk/find.js";
import { lookupIn } from "../core/registry/select-in.js";
import type { ConformanceProtocol } from "../core/protocol.js";
import { freshSeed } from "../core/run/seed.js";
import type { Target } from "../wire/link.js";
import { FuzzDriver, FuzzProblem, type FuzzRun } from "./driver.js";
import type { FuzzPlayer, FuzzStep, FuzzSuite, LifeCycle, LifeStep } from "./suite.js";

/** The subject of fuzzing: messages with something wrong in them, or sessions that live in any legal order. */
export const fuzzModes = ["messages", "life"] as const;
/** One of `fuzzModes`. */
export type FuzzMode = (typeof fuzzModes)[number];

/** The target of fuzzing, and its limits. */
export interface FuzzOptions {
  readonly protocol: ConformanceProtocol;
  readonly role: string;
  readonly target: Target;
  /** Default `none`. */
  readonly behaviors?: BehaviorMode | undefined;
  /** Default: a fresh one, which the report names. */
  readonly seed?: number | undefined;
  /** Runs of each mode. Default 100. */
  readonly runs?: number | undefined;
  /** Default: both. */
  readonly modes?: readonly FuzzMode[] | undefined;
  /** Framing of what the suite sends. Default: the protocol's. */
  readonly framing?: "line" | "header" | undefined;
  /** Stretches all time. Default 1. */
  readonly timeScale?: number | undefined;
  /** Milliseconds that may be spent on making a failure smaller. Default 60 000. */
  readonly shrinkMs?: number | undefined;
  /**
   * Runs that may be spent on it. Unlike a limit in milliseconds, it finds the same for the same seed on every machine.
   * Default: no limit.
   */
  readonly shrinkRuns?: number | undefined;
}

/** A failure, made as small as time allowed. */
export interface FuzzFailure extends FuzzRun {
  /** Short, and the same for the same steps. */
  readonly id: string;
  readonly mode: FuzzMode;
}

/** The result of fuzzing. */
export interface FuzzReport {
  readonly seed: number;
  /** Runs that were made, by mode, those of the shrinking not counted. */
  readonly runs: Readonly<Partial<Record<FuzzMode, number>>>;
  readonly failures: readonly FuzzFailure[];
  readonly error?: string | undefined;
  readonly outcome: Outcome;
  readonly exitCode: number;
}

/** Fuzzes a target, and reports its faults. Throws a `UsageError` for a role that cannot be fuzzed. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { seed = freshSeed(), runs = 100, modes = fuzzModes } = options;
  const { shrinkMs = 60_000, shrinkRuns = Number.POSITIVE_INFINITY } = options;
  const { driver, fuzz } = await openFuzz(options, seed);
  const made: Partial<Record<FuzzMode, number>> = {};
  const failures: FuzzFailure[] = [];
  for (const mode of modes) {
    if (driver.gone !== undefined) break;
    let failedAt: number | undefined;
    let shrunk = 0;
    const once = async (play: (player: FuzzPlayer, handshake: unknown) => Promise<void>): Promise<void> => {
      // The remaining shrinking steps pass without running, which ends the shrinking.
      if (failedAt !== undefined && (performance.now() - failedAt > shrinkMs || shrunk++ >= shrinkRuns)) return;
      try {
        await driver.run(play);
      } catch (error) {
        failedAt ??= performance.now();
        throw error;
      }
    };
    driver.failure = undefined;
    const parameters = { seed, numRuns: runs };
    const details =
      mode === "messages"
        ? await fc.check(messagesProperty(fuzz, once), parameters)
        : await fc.check(lifeProperty(fuzz.lifeCycle, once), parameters);
    made[mode] = details.numRuns;
    const { errorInstance, failed } = details;
    if (failed && driver.gone === undefined && !(errorInstance instanceof FuzzProblem))
      throw new HarnessError(`the fuzzer failed: ${describe(errorInstance)}`);
    shrunk = 0;
    if (mode === "messages") await dropSteps(driver, once);
    if (driver.failure !== undefined) failures.push({ ...(driver.failure as FuzzRun), mode, id: idOf(driver.failure) });
  }
  await driver.close();
  const outcome: Outcome = failures.length > 0 ? "violated" : driver.gone !== undefined ? "target-error" : "passed";
  return {
    seed,
    runs: made,
    failures,
    ...(driver.gone && { error: driver.gone.message }),
    outcome,
    exitCode: exitCodeOf(outcome),
  };
}

/** Plays steps once more; the problem, or `undefined` when there is none any more. Rejects with `TargetError`. */
export async function replaySteps(options: FuzzOptions, steps: readonly FuzzStep[]): Promise<FuzzRun | undefined> {
  const { driver } = await openFuzz(options, options.seed ?? 1);
  try {
    await driver.run((player) => playAll(player, steps));
    return undefined;
  } catch (error) {
    if (!(error instanceof FuzzProblem)) throw error;
    return driver.failure;
  } finally {
    await driver.close();
  }
}

/**
 * Removes every message that the failure does not need. The library's own shrinking keeps all messages after the first
 * needed one.
 */
async function dropSteps(driver: FuzzDriver, once: Once): Promise<void> {
  for (let index = 0; index < (driver.failure?.steps.length ?? 0); ) {
    const steps = driver.failure?.steps ?? [];
    const fewer = steps.filter((_step, at) => at !== index);
    try {
      if (fewer.length > 0) await once((player) => playAll(player, fewer));
      index += 1;
    } catch (error) {
      if (!(error instanceof FuzzProblem)) throw error;
    }
  }
}

async function playAll(player: FuzzPlayer, steps: readonly FuzzStep[]): Promise<void> {
  for (const step of steps) await player.play(step);
}

type Once = (play: (player: FuzzPlayer, handshake: unknown) => Promise<void>) => Promise<void>;

function messagesProperty({ messages }: FuzzSuite, once: Once): fc.IAsyncProperty<[readonly FuzzStep[]]> {
  return fc.asyncProperty(messages, (steps) => once((player) => playAll(player, steps)));
}

class Command implements fc.AsyncCommand<object, FuzzPlayer> {
  readonly #life: LifeStep<object>;

  constructor(life: LifeStep<object>) {
    this.#life = life;
  }
  check = (model: Readonly<object>): boolean => this.#life.legal(model);
  async run(model: object, player: FuzzPlayer): Promise<void> {
    this.#life.apply(model);
    await player.play(this.#life.step);
  }
  toString = (): string => JSON.stringify(this.#life.step);
}

function lifeProperty(
  cycle: LifeCycle<never>,
  once: Once,
): fc.IAsyncProperty<[Iterable<fc.AsyncCommand<object, FuzzPlayer>>]> {
  const { start, steps } = cycle as unknown as LifeCycle<object>;
  const commands = fc.commands(
    steps.map((step) => step.map((life) => new Command(life))),
    { maxCommands: 30, size: "max" },
  );
  return fc.asyncProperty(commands, (list) =>
    once((player, handshake) => fc.asyncModelRun(() => ({ model: start(handshake), real: player }), list)),
  );
}

async function openFuzz(options: FuzzOptions, seed: number): Promise<{ driver: FuzzDriver; fuzz: FuzzSuite }> {
  const { protocol, role, target, behaviors = "none", framing = protocol.framing ?? "line", timeScale = 1 } = options;
  const suite = roleOf(protocol, role);
  const fuzz = (await protocol.fuzz?.())?.[role];
  if (fuzz === undefined) throw new UsageError(`${protocol.name} has no fuzzer for the role ${role}`);
  const profile = profileOf(protocol, undefined);
  const connection = { protocol, profile, role, target, framing, faults: [], seed, graceMs: 2_000 };
  const driver = new FuzzDriver({
    ...connection,
    suite,
    fuzz,
    lookup: lookupIn(protocol.registry()),
    behaviors: behaviorsBy(behaviors),
    timeScale,
  });
  return { driver, fuzz };
}

function idOf({ steps, problem }: FuzzRun): string {
  return createHash("sha256")
    .update(JSON.stringify([steps, problem.split("#")[0]]))
    .digest("hex")
    .slice(0, 8);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
