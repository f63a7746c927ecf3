import type { Basis } from "../registry/requirement.js";
import type { Case } from "./case.js";
import type { CaseSetting } from "./case-setting.js";

/** The cases that a run has still to do, the most important ones first. */
export interface CaseQueue {
  /** The next case; `late`: half of the time is over. */
  next(late: boolean): Case | undefined;
}

/**
 * Orders the cases of a run: smoke cases, then those that are the first to judge a must which decides, then all others.
 * Cases that end a process which no other case needs come behind them, unless half of the time is over: then those
 * among them that are the first to judge a must come next.
 */
export function queueOf(
  cases: readonly Case[],
  { lookup, endsIn }: Pick<CaseSetting, "lookup" | "endsIn">,
  basis: readonly Basis[],
): CaseQueue {
  const judged = new Set<string>();
  const isFirst = ({ emits, smoke }: Case): boolean => {
    const musts = emits.filter((req) => lookup(req).level === "must" && basis.includes(lookup(req).basis));
    const isNew = musts.some((req) => !judged.has(req));
    for (const req of musts) judged.add(req);
    return isNew || smoke === true;
  };
  const lists = { first: [] as Case[], others: [] as Case[], firstAtEnd: [] as Case[], atEnd: [] as Case[] };
  for (const one of cases) {
    const rank = isFirst(one) ? "first" : "others";
    if (endsIn(one) === undefined) lists[rank].push(one);
    else lists[rank === "first" ? "firstAtEnd" : "atEnd"].push(one);
  }
  const { first, others, firstAtEnd, atEnd } = lists;
  return {
    next: (late) =>
      first.shift() ?? (late ? firstAtEnd.shift() : undefined) ?? others.shift() ?? firstAtEnd.shift() ?? atEnd.shift(),
  };
}
