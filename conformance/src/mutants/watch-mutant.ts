import { type Mutant, type Patch, patchOf } from "../core/mutant.js";

/** A mutant, and whether the run came to what it changes. */
export interface WatchedMutant {
  readonly mutant: Mutant;
  /** True once one of its decisions changed a message, or was asked for where messages do not show the change. */
  applied(): boolean;
}

/** The decisions that are asked for every message, with what each would return if it changed nothing. */
const filters: Readonly<Record<string, (taken: readonly unknown[], right: Patch) => unknown>> = {
  outgoing: ([message]) => [message],
  result: ([, result]) => result,
  encode: (taken, { encode }) => (typeof encode === "function" ? encode(...taken) : undefined),
};

/** What was encoded as a text or as its bytes. */
const asText = (encoded: unknown): unknown =>
  encoded instanceof Uint8Array ? Buffer.from(encoded).toString("latin1") : encoded;

/**
 * Watches whether the decisions of a mutant are used. A mutant without any (a control of its profile) counts as used.
 * `right` are the decisions of the reference.
 */
export function watchMutant(mutant: Mutant, right: Patch): WatchedMutant {
  let isApplied = [mutant.patch, mutant.http, mutant.webSocket].every(isEmpty);
  const apply = (): void => void (isApplied = true);
  return {
    mutant: {
      ...mutant,
      ...(mutant.patch === undefined ? {} : { patch: () => watchPatch(patchOf(mutant), right, apply) }),
      ...(mutant.http === undefined ? {} : { http: watchPatch(mutant.http, {}, apply) }),
      ...(mutant.webSocket === undefined ? {} : { webSocket: watchPatch(mutant.webSocket, {}, apply) }),
    },
    applied: () => isApplied,
  };
}

const isEmpty = (patch: Mutant["patch"]): boolean =>
  patch === undefined || (typeof patch === "object" && Object.keys(patch).length === 0);

function watchPatch(patch: Patch, right: Patch, apply: () => void): Patch {
  return Object.fromEntries(
    Object.entries(patch).map(([name, decision]) => {
      const unchanged = filters[name];
      return [name, watchDecision(decision, unchanged && ((taken) => unchanged(taken, right)), apply)];
    }),
  );
}

/** `unchanged` gives what a decision about messages would return if it changed nothing. */
function watchDecision(
  decision: unknown,
  unchanged: ((taken: readonly unknown[]) => unknown) | undefined,
  apply: () => void,
): unknown {
  if (typeof decision !== "function") {
    apply(); // the reference reads a plain value when it starts
    return decision;
  }
  return function (this: unknown, ...taken: unknown[]): unknown {
    if (unchanged === undefined) {
      apply();
      return decision.apply(this, taken);
    }
    const right = unchanged(taken);
    const before = JSON.stringify(asText(right)); // as text: the decision may change the message itself
    const returned: unknown = decision.apply(this, taken);
    // Bytes in place of a text are a binary frame of a WebSocket.
    const isBinary = typeof right === "string" && returned instanceof Uint8Array;
    if (isBinary || JSON.stringify(asText(returned)) !== before) apply();
    return returned;
  };
}
