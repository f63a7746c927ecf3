/** The header of an answer that declares whether the server knows a repeated POST by its `Idempotency-Key`. */
export const keysHeader = "accept-idempotency-key";

/** Its value for a server that does: the boolean true of RFC 8941. */
export const keysTaken = "?1";

/** A short id that no other process makes; unlike `crypto.randomUUID` it is there on pages of any origin. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join("");
}
