import { type Mutant, type Patch, patchOf } from "../core/mutant.js";

/** A mutant, and whether the run came to what it changes. */
export interface WatchedMutant {
  readonly mutant: Mutant;
  /** True once one of its decisions changed a message, or was asked for where messages do not show the change. */
  applied(): boolean;
}

/** The decisions that are asked for every message, with what each would return if it changed nothing. */
const filters: Readonly<Record<string, (taken: readonly unknown[]) => unknown>> = {
  outgoing: ([message]) => [message],
  result: ([, result]) => result,
};

/**
 * Watches whether the decisions of a mutant are used. A mutant without any (a control of its profile) counts as used.
 */
export function watchMutant(mutant: Mutant): WatchedMutant {
  let isApplied = [mutant.patch, mutant.http, mutant.webSocket].every(isEmpty);
  const apply = (): void => void (isApplied = true);
  return {
    mutant: {
      ...mutant,
      ...(mutant.patch === undefined ? {} : { patch: () => watchPatch(patchOf(mutant), apply) }),
      ...(mutant.http === undefined ? {} : { http: watchPatch(mutant.http, apply) }),
      ...(mutant.webSocket === undefined ? {} : { webSocket: watchPatch(mutant.webSocket, apply) }),
    },
    applied: () => isApplied,
  };
}

const isEmpty = (patch: Mutant["patch"]): boolean =>
  patch === undefined || (typeof patch === "object" && Object.keys(patch).length === 0);

function watchPatch(patch: Patch, apply: () => void): Patch {
  return Object.fromEntries(
    Object.entries(patch).map(([name, decision]) => [name, watchDecision(name, decision, apply)]),
  );
}

function watchDecision(name: string, decision: unknown, apply: () => void): unknown {
  if (typeof decision !== "function") {
    apply(); // the reference reads a plain value when it starts
    return decision;
  }
  return function (this: unknown, ...taken: unknown[]): unknown {
    const unchanged = filters[name];
    if (unchanged === undefined) {
      apply();
      return decision.apply(this, taken);
    }
    const before = JSON.stringify(unchanged(taken)); // as text: the decision may change the message itself
    const returned: unknown = decision.apply(this, taken);
    if (JSON.stringify(returned) !== before) apply();
    return returned;
  };
}
