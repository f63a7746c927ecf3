import { isLong } from "./discount.js";
import { nights } from "./stay.js";

/** The lines of an invoice. */
export function invoice(stay) {
  const note = isLong(nights(stay)) ? "a tenth less for a long stay" : "the full price";
  return [`${nights(stay)} nights`, note];
}
