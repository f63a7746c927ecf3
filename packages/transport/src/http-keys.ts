/** The header of an answer that declares whether the server knows a repeated POST by its `Idempotency-Key`. */
export const keysHeader = "accept-idempotency-key";

/** Its value for a server that does: the boolean true of RFC 8941. */
export const keysTaken = "?1";
