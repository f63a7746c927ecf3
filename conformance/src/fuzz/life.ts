import * as fc from "fast-check";
import type { LifeStep } from "./suite.js";

/** The sessions of a life cycle are known by their numbers; there are at most this many. */
export const MAX_SESSIONS = 4;

/** A copy of what is known about a new session, for each of them. */
export const newSessions = <Session extends object>(session: Session): Session[] =>
  Array.from({ length: MAX_SESSIONS }, () => ({ ...session }));

/** When a step is legal, and what it changes. Default: always, and nothing. */
export interface StepRule<Model, Args> {
  /** The fields of the step besides its name. */
  readonly args?: fc.Arbitrary<Args>;
  legal?(model: Readonly<Model>): boolean;
  apply?(model: Model, args: Args): void;
}

/** The same for a step in a session. */
export interface SessionRule<Session, Model, Args> {
  readonly args?: fc.Arbitrary<Args>;
  legal?(session: Readonly<Session>, model: Readonly<Model>): boolean;
  apply?(session: Session, args: Args, model: Model): void;
}

/** Declares the steps of a life cycle, each by what it does. */
export interface LifeSteps<Session, Model> {
  /** A step that names no session. */
  step<Args extends object>(what: string, rule?: StepRule<Model, Args>): fc.Arbitrary<LifeStep<Model>>;
  /** A step in any session that there is. */
  inSession<Args extends object>(what: string, rule?: SessionRule<Session, Model, Args>): fc.Arbitrary<LifeStep<Model>>;
}

/** The steps of sessions whose number is in the field `name`. */
export function lifeSteps<Session, Model extends object>(
  name: string,
  sessionsOf: (model: Readonly<Model>) => readonly Session[],
): LifeSteps<Session, Model> {
  const nothing = fc.constant({} as never);
  return {
    step: (what, { args = nothing, legal = () => true, apply = () => {} } = {}) =>
      args.map((more) => ({ step: { do: what, ...more }, legal, apply: (model) => apply(model, more) })),
    inSession: (what, { args = nothing, legal = () => true, apply = () => {} } = {}) =>
      fc.tuple(fc.nat({ max: MAX_SESSIONS - 1 }), args).map(([number, more]) => ({
        step: { do: what, [name]: number, ...more },
        legal(model) {
          const session = sessionsOf(model)[number];
          return session !== undefined && legal(session, model);
        },
        apply(model) {
          const session = sessionsOf(model)[number];
          if (session !== undefined) apply(session, more, model);
        },
      })),
  };
}

/** Any of some values of a field. */
export const oneOf = <Name extends string, Value>(
  name: Name,
  ...values: readonly Value[]
): fc.Arbitrary<Record<Name, Value>> =>
  fc.constantFrom(...values).map((value) => ({ [name]: value }) as Record<Name, Value>);
