const MS_PER_DAY = 24 * 60 * 60 * 1000;

/** Turns a date such as "2026-03-14" into a day number. Throws a RangeError for a date that does not exist. */
export function dayOf(date) {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(date)) {
    throw new RangeError(`Not a date: ${date}`);
  }
  return time / MS_PER_DAY;
}

/** Turns a day number back into a date such as "2026-03-14". */
export function dateOf(day) {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
}

/** Says whether the night that begins on this day is a Friday's or a Saturday's. */
export function isWeekendNight(day) {
  const weekday = new Date(day * MS_PER_DAY).getUTCDay();
  return weekday === 5 || weekday === 6;
}
