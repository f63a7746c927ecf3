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

/**
 * Watches whether the decisions of a mutant are used. Those of a benign variant must also give something else than the
 * reference's: no check fails that would show it. A mutant without decisions of its own (a control of its profile)
 * counts as used. `right` are the decisions of the reference in its profile.
 */
export function watchMutant(mutant: Mutant, right: Patch): WatchedMutant {
  const own = (patch: Mutant["patch"]): boolean =>
    typeof patch === "function" || Object.entries(patch ?? {}).some(([name, decision]) => decision !== right[name]);
  const state = {
    isBenign: mutant.violates.length === 0,
    isApplied: ![mutant.patch, mutant.http, mutant.webSocket].some(own),
  };
  return {
    mutant: {
      ...mutant,
      ...(mutant.patch === undefined ? {} : { patch: () => watchPatch(patchOf(mutant), right, state) }),
      ...(mutant.http === undefined ? {} : { http: watchPatch(mutant.http, {}, state) }),
      ...(mutant.webSocket === undefined ? {} : { webSocket: watchPatch(mutant.webSocket, {}, state) }),
    },
    applied: () => state.isApplied,
  };
}

interface State {
  readonly isBenign: boolean;
  isApplied: boolean;
}

function watchPatch(patch: Patch, right: Patch, state: State): Patch {
  return Object.fromEntries(
    Object.entries(patch).map(([name, decision]) => {
      if (decision === right[name]) return [name, decision];
      if (typeof decision === "function") return [name, watchFunction(name, decision as Decision, right, state)];
      state.isApplied = true; // the reference reads a plain value when it starts
      return [name, decision];
    }),
  );
}

type Decision = (this: unknown, ...taken: unknown[]) => unknown;

function watchFunction(name: string, decision: Decision, right: Patch, state: State): Decision {
  const filter = filters[name];
  if (filter === undefined && !state.isBenign)
    return function (...taken) {
      state.isApplied = true;
      return decision.apply(this, taken);
    };
  return function (...taken) {
    if (state.isApplied) return decision.apply(this, taken);
    // As text: the decision may change what it takes.
    const expected = filter === undefined ? outcomeOf(right[name], taken) : asText(filter(taken, right));
    const returned = decision.apply(this, taken);
    const given = filter === undefined ? [returned, taken] : returned;
    state.isApplied = expected === undefined || asText(given) !== expected;
    return returned;
  };
}

/**
 * Describes the result of a decision of the reference and its changes to its arguments, as text. `undefined` if they
 * cannot be compared, because it returns nothing, or takes or returns more than data: then a mutant whose decision is
 * asked for counts as used.
 */
function outcomeOf(decision: unknown, taken: readonly unknown[]): string | undefined {
  if (typeof decision !== "function" || !isData(taken)) return undefined;
  const copies = structuredClone(taken);
  const returned: unknown = decision(...copies);
  return returned === undefined || !isData(returned) ? undefined : asText([returned, copies]);
}

function isData(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.values(value).every(isData);
}

/** Data as text. Bytes in place of a text differ from it: they are a binary frame of a WebSocket. */
function asText(value: unknown): string {
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString("latin1")}`;
  return JSON.stringify(value, (_key, one: unknown) => (one === undefined ? "\0 nothing" : one));
}
