/** Where a sequence occurs in another one. */
export interface Occurrences {
  /** The place of the first one; -1 when there is none. */
  readonly first: number;
  readonly count: number;
}

/**
 * Finds a sequence in another one, also where it overlaps itself, in time linear in both lengths (Knuth, Morris,
 * Pratt). `String.prototype.indexOf` takes their product in the worst case. An empty sequence does not occur.
 */
export function occurrencesOf<Item>(wanted: ArrayLike<Item>, all: ArrayLike<Item>): Occurrences {
  let first = -1;
  let count = 0;
  if (wanted.length === 0 || wanted.length > all.length) return { first, count };
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = 0; at < all.length; at++) {
    while (matched > 0 && all[at] !== wanted[matched]) matched = borders[matched - 1] ?? 0;
    if (all[at] === wanted[matched]) matched++;
    if (matched < wanted.length) continue;
    if (count++ === 0) first = at + 1 - wanted.length;
    matched = borders[matched - 1] ?? 0;
  }
  return { first, count };
}

/** For each beginning of a sequence, the length of the longest shorter beginning that also ends it. */
function bordersOf<Item>(wanted: ArrayLike<Item>): Int32Array {
  const borders = new Int32Array(wanted.length);
  let border = 0;
  for (let at = 1; at < wanted.length; at++) {
    while (border > 0 && wanted[at] !== wanted[border]) border = borders[border - 1] ?? 0;
    if (wanted[at] === wanted[border]) border++;
    borders[at] = border;
  }
  return borders;
}
