export { createCalendar } from "./calendar.js";
export { priceOf } from "./price.js";
export { createStay, nightsOf } from "./stay.js";
