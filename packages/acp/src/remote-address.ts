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
