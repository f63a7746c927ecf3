/** A short id that no other process makes; unlike `crypto.randomUUID` it is there on pages of any origin. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join("");
}
