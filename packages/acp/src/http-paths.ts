/** Where a client POSTs its messages (spec 1). */
export const rpcPath = "/acp/rpc";
/** Where a client reads its event stream (spec 1). */
export const eventsPath = "/acp/sse";
/** Why a peer at these paths speaks the dialect `spec`, for the diagnostic. */
export const httpPathsReason = "it uses the HTTP paths of the specification";
