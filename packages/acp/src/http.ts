import { isObject } from "@editwire/core";
import { type HttpServer, httpServer, type HttpServerOptions } from "@editwire/transport/http";
import { type AcpAgentHandlers, type AcpAgentOptions, serveAcpAgent } from "./agent.js";
import type { AgentSession } from "./agent-session.js";
import { eventsPath, rpcPath } from "./http-paths.js";

/** How an agent is served over HTTP; `hosts`, `origins` and `token` say to whom. */
export interface AcpHttpServerOptions
  extends AcpAgentOptions,
    Omit<HttpServerOptions, "rpcPath" | "eventsPath" | "onClient" | "statusOf"> {}

/**
 * Serves an agent as a fetch-style handler at `/acp/rpc` and `/acp/sse` (spec 1): mount its `fetch` in any server. The clients
 * share the agent's sessions: updates and permission requests go to the client that created or last loaded a session, an
 * answer to the client that asked. A client that says goodbye, or is away for `idleMs`, has its turns cancelled; its sessions
 * can be loaded again.
 */
export function acpHttpServer(agent: AcpAgentHandlers, options: AcpHttpServerOptions = {}): HttpServer {
  const shared: AcpAgentOptions = { ...options, sessions: options.sessions ?? new Map<string, AgentSession>() };
  return httpServer({
    ...options,
    rpcPath,
    eventsPath,
    statusOf,
    onClient: (transport) => void serveAcpAgent(transport, agent, shared),
  });
}

/** 202 takes a request or a notification, 204 a response; 400 refuses what is no single JSON-RPC 2.0 message. */
function statusOf(message: unknown): number {
  if (!isObject(message) || message["jsonrpc"] !== "2.0") return 400;
  return message["method"] === undefined ? 204 : 202;
}
