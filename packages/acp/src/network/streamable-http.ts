import { ErrorCode, isObject } from "@editwire/core";
import { safeListeners } from "@editwire/session";
import { type HttpServer, httpStreamsServer } from "@editwire/transport/node";
import { serveShared } from "../agent/agent.js";
import type { AcpAgent } from "../agent/api.js";
import { AgentRoutes } from "./agent-routes.js";
import type { AgentSessions } from "../agent/sessions.js";
import { AcpDialect } from "../shared/dialect.js";
import { asksToInitialize, isInitialize, remoteHeaders, remoteReason } from "./messages.js";
import type { AcpHandlerOptions } from "./options.js";
import { remotePath } from "./paths.js";

/**
 * Serves an agent over the Streamable HTTP transport of the official protocol, for the way in `name`. Events have ids,
 * so that a client which asks for it misses nothing of a lost stream.
 */
export function streamableHttp(
  name: string,
  agent: AcpAgent,
  options: AcpHandlerOptions,
  sessions: AgentSessions,
): HttpServer {
  return httpStreamsServer({
    ...options,
    onDiagnostic: safeListeners(options).onDiagnostic,
    path: options.path ?? remotePath,
    headers: remoteHeaders,
    opens: asksToInitialize,
    keeps: isInitialize,
    routes: (opening) => new AgentRoutes(opening, options.strict),
    refuse: refusalOf,
    onClient: (transport, { caller }) =>
      void serveShared(name, transport, agent, options, { sessions, caller, dialect: official() }),
  });
}

/** The dialect of the clients of this transport, unless the options name another. */
function official(): AcpDialect {
  const found = new AcpDialect("agent");
  found.decide("v1", remoteReason);
  return found;
}

/** Refuses a batch and what is not an object, as the official transport does. */
function refusalOf(message: unknown): object | undefined {
  if (isObject(message) && message["jsonrpc"] === "2.0") return undefined;
  const text = Array.isArray(message) ? "batches are not supported" : "this is not a message of JSON-RPC 2.0";
  return { jsonrpc: "2.0", id: null, error: { code: ErrorCode.InvalidRequest, message: text } };
}
