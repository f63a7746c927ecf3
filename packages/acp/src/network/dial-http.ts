import { urlBelow, withToken } from "@editwire/session";
import { type HttpClientOptions, httpClientTransport } from "@editwire/transport";
import { type AcpClient, checkClientOptions, connectIn } from "../client/client.js";
import type { AcpClientOptions } from "../client/options.js";
import { AcpDialect } from "../shared/dialect.js";
import { eventsPath, httpPathsReason, rpcPath } from "./paths.js";
import { mayArriveTwice, refusedAnswer } from "./messages.js";

/** How an agent is reached over HTTP. */
export interface AcpHttpClientOptions
  extends AcpClientOptions,
    Omit<HttpClientOptions, "rpc" | "events" | "refused" | "mayArriveTwice"> {
  /** The `client_id` by which the server knows this client (spec 1); each client needs its own. Default: a new UUID. */
  clientId?: string | undefined;
  /** Sent as `Authorization: Bearer …`. */
  token?: string | undefined;
}

/**
 * Connects to an agent that serves ACP over HTTP and server-sent events (spec 1), and initializes it. `baseUrl` is the
 * part before `/acp/rpc` and `/acp/sse`, or ends in one of them. Throws a `TypeError` for a URL that is not http or
 * https, and what `connectAcp` throws.
 */
export async function dialAcpHttp(baseUrl: string | URL, options: AcpHttpClientOptions = {}): Promise<AcpClient> {
  const name = "dialAcpHttp";
  checkClientOptions(name, options);
  const { clientId = crypto.randomUUID() } = options;
  const urlOf = (path: string): URL => {
    const url = urlBelow(name, "http", baseUrl, path, [rpcPath, eventsPath]);
    url.searchParams.set("client_id", clientId);
    return url;
  };
  const transport = httpClientTransport({
    ...options,
    rpc: urlOf(rpcPath),
    events: urlOf(eventsPath),
    headers: withToken(options),
    refused: refusedAnswer,
    mayArriveTwice,
  });
  const dialect = new AcpDialect("client");
  dialect.assume("spec", httpPathsReason);
  return connectIn(name, transport, options, dialect);
}
