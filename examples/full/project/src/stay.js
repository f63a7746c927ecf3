/** Tells whether two stays have a night in common. The day on which guests leave is excluded. */
export function overlap(one, other) {
  return one.from <= other.to && other.from <= one.to;
}

/** The nights of a stay. */
export function nights(stay) {
  return stay.to - stay.from;
}
