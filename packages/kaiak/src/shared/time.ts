let second = NaN;
let written = "";

/**
 * The time now, as the specification writes times. The text of the current second is kept: each notification has it.
 */
export function now(): string {
  const current = Math.floor(Date.now() / 1_000);
  if (current !== second) {
    second = current;
    written = `${new Date(current * 1_000).toISOString().slice(0, 19)}Z`;
  }
  return written;
}
