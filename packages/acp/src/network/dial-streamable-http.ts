import { urlBelow, withToken } from "@editwire/session";
import { type HttpStreamsClientOptions, httpStreamsClientTransport } from "@editwire/transport";
import { type AcpClient, checkClientOptions, connectIn } from "../client/client.js";
import type { AcpClientOptions } from "../client/options.js";
import { ClientRoutes } from "./client-routes.js";
import { AcpDialect } from "../shared/dialect.js";
import { remoteHeaders, remoteReason } from "./messages.js";
import { type RemoteAddress, remotePath } from "./paths.js";

/** How an agent is reached over Streamable HTTP. */
export interface AcpStreamableHttpClientOptions
  extends AcpClientOptions,
    RemoteAddress,
    Omit<HttpStreamsClientOptions, "url" | "names" | "routes"> {
  /** Sent as `Authorization: Bearer …`. */
  token?: string | undefined;
}

/**
 * Connects to an agent that serves the Streamable HTTP transport of the official protocol, and initializes it.
 * `baseUrl` is the part before `path`, or ends in it. A lost event stream is opened again. It closes the client if the
 * agent does not number its events and owes an answer on that stream. Throws a `TypeError` for a URL that is not http
 * or https, and what `connectAcp` throws.
 */
export async function dialAcpStreamableHttp(
  baseUrl: string | URL,
  options: AcpStreamableHttpClientOptions = {},
): Promise<AcpClient> {
  const name = "dialAcpStreamableHttp";
  checkClientOptions(name, options);
  const transport = httpStreamsClientTransport({
    ...options,
    url: urlBelow(name, "http", baseUrl, options.path ?? remotePath),
    names: remoteHeaders,
    routes: new ClientRoutes(),
    headers: withToken(options),
  });
  const dialect = new AcpDialect("client");
  dialect.decide("v1", remoteReason);
  return connectIn(name, transport, options, dialect);
}
