/** Tells whether a stay is long. Seven nights are included. */
export function isLong(nights) {
  return nights > 7;
}
