/** Where an agent serves ACP over WebSockets and Streamable HTTP by default. */
export const remotePath = "/acp";

/** Where an agent serves ACP below a base URL. */
export interface RemoteAddress {
  /**
   * The path at which the agent is served, after the path of the URL. A URL that ends in it is not given it again.
   * Default `/acp`.
   */
  path?: string | undefined;
}

/** Where a client POSTs its messages (spec 1). */
export const rpcPath = "/acp/rpc";
/** Where a client reads its event stream (spec 1). */
export const eventsPath = "/acp/sse";
/** Why a peer at these paths speaks the dialect `spec`, for the diagnostic. */
export const httpPathsReason = "it uses the HTTP paths of the specification";
