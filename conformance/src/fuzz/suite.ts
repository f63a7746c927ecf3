import type * as fc from "fast-check";
import type { Talk } from "../core/talk/talk.js";

/** One thing that the fuzzer does, as plain data, so that it can be kept and done again. */
export interface FuzzStep {
  readonly do: string;
  readonly [key: string]: unknown;
}

/** Performs steps on one connection. Each `ExpectationError` that it throws is a finding. */
export interface FuzzPlayer {
  play(step: FuzzStep): Promise<void>;
  /** Ends what the steps left open, and makes sure that the target is there. */
  finish(): Promise<void>;
  /** The connection is not fit for another run: what a target makes of its losses is not a finding there. */
  readonly isWorn?: boolean | undefined;
}

/** The connection and the limits of a player. */
export interface FuzzSetting {
  readonly talk: Talk;
  /** The result of the handshake. */
  readonly handshake: unknown;
  /** The text that makes the target show a behavior, or `undefined` when it cannot be told. */
  say(behavior: string, args?: Record<string, unknown>): string | undefined;
}

/** A step with what a model of the protocol says about it. */
export interface LifeStep<Model> {
  readonly step: FuzzStep;
  /** Whether the step is legal now. */
  legal(model: Readonly<Model>): boolean;
  /** The step's effect on the model. */
  apply(model: Model): void;
}

/** A model of how a connection lives: every legal order of its steps is worth a try. */
export interface LifeCycle<Model> {
  start(handshake: unknown): Model;
  readonly steps: readonly fc.Arbitrary<LifeStep<Model>>[];
}

/** How the targets of one role are fuzzed. */
export interface FuzzSuite {
  open(setting: FuzzSetting): FuzzPlayer;
  /** Messages, most of them wrong somewhere. */
  readonly messages: fc.Arbitrary<readonly FuzzStep[]>;
  readonly lifeCycle: LifeCycle<never>;
}

/** Keeps the type of a life cycle's model to itself. */
export function lifeCycle<Model>(cycle: LifeCycle<Model>): LifeCycle<never> {
  return cycle as unknown as LifeCycle<never>;
}
