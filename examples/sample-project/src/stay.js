import { dayOf } from "./day.js";

/** A stay takes the nights from its first day up to, and not including, the day on which the guests leave. */
export function createStay(arrival, departure) {
  const stay = { from: dayOf(arrival), to: dayOf(departure) };
  if (stay.to <= stay.from) {
    throw new RangeError(`A stay lasts a night at least: ${arrival} to ${departure}`);
  }
  return stay;
}

/** Lists the days on which a night of the stay begins. */
export function nightsOf(stay) {
  return Array.from({ length: stay.to - stay.from }, (_, night) => stay.from + night);
}

/** Says whether two stays have a night in common. */
export function overlaps(a, b) {
  return a.from <= b.to && b.from <= a.to;
}
