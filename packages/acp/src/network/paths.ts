/** Where an agent serves ACP over WebSockets and Streamable HTTP by default. */
export const remotePath = "/acp";
/** Where a client POSTs its messages (spec 1). */
export const rpcPath = "/acp/rpc";
/** Where a client reads its event stream (spec 1). */
export const eventsPath = "/acp/sse";
/** Why a peer at these paths speaks the dialect `spec`, for the diagnostic. */
export const httpPathsReason = "it uses the HTTP paths of the specification";

/** Where an agent serves ACP below a base URL. */
export interface AcpAddress {
  /** The path of the official transports. Default `/acp`. */
  path?: string | undefined;
  /**
   * `spec`: the HTTP transport of the specification, with its paths `/acp/rpc` and `/acp/sse` (spec 1). Default: the
   * transports of the official protocol, at `path`.
   */
  paths?: "spec" | undefined;
}

/** Throws a `TypeError` for both a path and the paths of the specification. `name` is the function that got them. */
export function checkAddress(name: string, { path, paths }: AcpAddress): void {
  if (path !== undefined && paths !== undefined)
    throw new TypeError(`${name}: expected no path with paths: "spec", which are ${rpcPath} and ${eventsPath}`);
}
