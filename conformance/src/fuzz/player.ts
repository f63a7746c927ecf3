import { act } from "../core/talk/act.js";
import { CaseEnd, ExpectationError, UsageError } from "../core/errors.js";
import { handled } from "../core/talk/waits.js";
import type { Control } from "../wire/link.js";
import type { FuzzPlayer, FuzzSetting, FuzzStep } from "./suite.js";

/** The function that performs each kind of step. */
export type Plays = Readonly<Record<string, (step: FuzzStep) => Promise<unknown> | unknown>>;

/** Does a step by its name. Throws a `TypeError` when there is none. */
export async function playBy(plays: Plays, step: FuzzStep): Promise<void> {
  const play = Object.hasOwn(plays, step.do) ? plays[step.do] : undefined;
  if (play === undefined) throw new TypeError(`there is no step "${step.do}"`);
  await play(step);
}

const ACT_MS = 10_000;

/** How the suite steers a client. */
export interface Steering {
  tell(action: string, args: Record<string, unknown>): Promise<unknown>;
  /** Whether the client could do it; what it cannot do at all is left out. */
  can(action: string, args: Record<string, unknown>): Promise<boolean>;
}

/** Steers a client. Throws a `UsageError` for one that cannot be steered. */
export function steering(control: Control | undefined): Steering {
  if (control === undefined) throw new UsageError("expected --steer: a client is fuzzed through an adapter");
  const tell: Steering["tell"] = (action, args) => handled(act(control, { action, args, budget: ACT_MS }));
  return {
    tell,
    can: (action, args) =>
      tell(action, args).then(
        () => true,
        (error: unknown) => {
          if (error instanceof CaseEnd) return false;
          throw error;
        },
      ),
  };
}

/** Waits for the end of a turn, however the client takes it. */
export async function settled(done: Promise<unknown>): Promise<void> {
  try {
    await done;
  } catch (error) {
    if (!(error instanceof ExpectationError) || error.miss !== "mismatch") throw error;
  }
}

/** A player that does each kind of step in its own way. */
export abstract class StepPlayer implements FuzzPlayer {
  protected readonly talk: FuzzSetting["talk"];
  protected readonly say: FuzzSetting["say"];
  protected abstract readonly plays: Plays;

  constructor({ talk, say }: FuzzSetting) {
    this.talk = talk;
    this.say = say;
  }

  play(step: FuzzStep): Promise<void> {
    return playBy(this.plays, step);
  }

  abstract finish(): Promise<void>;
}

/** The same, against a client that can be steered. */
export abstract class SteeringPlayer extends StepPlayer {
  protected readonly steering: Steering = steering(this.talk.conversation.link.control);
}
