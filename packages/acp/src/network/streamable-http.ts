import { ErrorCode, isObject } from "@editwire/core";
import { safeListeners } from "@editwire/session";
import { type HttpServer, httpStreamsServer, type HttpStreamsServerOptions } from "@editwire/transport/node";
import { checkAgent, serveShared } from "../agent/agent.js";
import type { AcpAgent, AcpAgentOptions } from "../agent/api.js";
import { AgentRoutes } from "./agent-routes.js";
import { AgentSessions, endingSessions } from "../agent/sessions.js";
import { AcpDialect } from "../shared/dialect.js";
import { asksToInitialize, isInitialize, remoteHeaders, remoteReason } from "./messages.js";
import { remotePath } from "./paths.js";

/** How an agent is served over Streamable HTTP; `hosts`, `origins`, `token` and `authenticate` say to whom. */
export interface AcpStreamableHttpHandlerOptions
  extends AcpAgentOptions,
    Omit<HttpStreamsServerOptions, "path" | "headers" | "onClient" | "opens" | "keeps" | "routes" | "refuse"> {
  /** The path of every request. Default `/acp`. */
  path?: string | undefined;
}

/**
 * Serves an agent as a fetch-style handler over the Streamable HTTP transport of the official protocol, at the path
 * `/acp`: mount its `fetch` in any server. The clients share the agent's sessions, as those of `acpHttpHandler`. Events
 * have ids, so that a client which asks for it misses nothing of a lost stream. Throws a `TypeError` for an agent
 * without `prompt`.
 */
export function acpStreamableHttpHandler(agent: AcpAgent, options: AcpStreamableHttpHandlerOptions = {}): HttpServer {
  const name = "acpStreamableHttpHandler";
  checkAgent(name, agent, options);
  const sessions = new AgentSessions(options.maxSessions);
  return endingSessions(streamableHttp(name, agent, options, sessions), sessions);
}

/** As `acpStreamableHttpHandler`, for the way in `name`, with sessions that another listener may share. */
export function streamableHttp(
  name: string,
  agent: AcpAgent,
  options: AcpStreamableHttpHandlerOptions,
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
