import { isWeekendNight } from "./day.js";
import { nightsOf } from "./stay.js";

const LONG_STAY_NIGHTS = 7;
const LONG_STAY_DISCOUNT = 0.1;

/** Adds up what a stay costs: each night at its rate, and a tenth less from seven nights on. */
export function priceOf(stay, rates) {
  const nights = nightsOf(stay);
  const full = nights.reduce((sum, day) => sum + (isWeekendNight(day) ? rates.weekend : rates.night), 0);
  const price = nights.length >= LONG_STAY_NIGHTS ? full * (1 - LONG_STAY_DISCOUNT) : full;
  return Math.round(price * 100) / 100;
}
