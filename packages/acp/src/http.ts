import { isObject } from "@editwire/core";
import { safeListeners } from "@editwire/session";
import { type HttpServer, httpServer, type HttpServerOptions } from "@editwire/transport/node";
import { checkAgent, serveShared } from "./agent/agent.js";
import type { AcpAgent, AcpAgentOptions } from "./agent/api.js";
import { AgentSessions, endingSessions } from "./agent/sessions.js";
import { AcpDialect } from "./shared/dialect.js";
import { eventsPath, httpPathsReason, rpcPath } from "./network/paths.js";
import { isInitialize } from "./network/messages.js";

export { type AcpStreamableHttpHandlerOptions, acpStreamableHttpHandler } from "./network/streamable-http.js";

/** How an agent is served over HTTP; `hosts`, `origins` and `token` say to whom. */
export interface AcpHttpHandlerOptions
  extends AcpAgentOptions,
    Omit<HttpServerOptions, "rpcPath" | "eventsPath" | "onClient" | "statusOf" | "opens"> {}

/**
 * Serves an agent as a fetch-style handler at `/acp/rpc` and `/acp/sse` (spec 1): mount its `fetch` in any server. The
 * clients share the agent's sessions: updates and permission requests go to the client that created or last loaded a
 * session, an answer goes to the client that asked. A client that closes, or is away for `idleMs`, has its turns
 * cancelled; its sessions can be loaded again. With `authenticate`, sessions belong to their caller: for others they do
 * not exist. Throws a `TypeError` for an agent without `prompt`.
 */
export function acpHttpHandler(agent: AcpAgent, options: AcpHttpHandlerOptions = {}): HttpServer {
  checkAgent("acpHttpHandler", agent, options);
  const sessions = new AgentSessions(options.maxSessions);
  const server = httpServer({
    ...options,
    onDiagnostic: safeListeners(options).onDiagnostic,
    rpcPath,
    eventsPath,
    statusOf,
    opens: isInitialize,
    onClient: (transport, { caller }) =>
      void serveShared("acpHttpHandler", transport, agent, options, { sessions, caller, dialect: dialect() }),
  });
  return endingSessions(server, sessions);
}

/** Who uses these paths speaks the dialect `spec`, unless the options or official capabilities say otherwise. */
function dialect(): AcpDialect {
  const found = new AcpDialect("agent");
  found.assume("spec", httpPathsReason);
  return found;
}

/** 202 takes a request or a notification, 204 a response; 400 refuses what is not a single JSON-RPC 2.0 message. */
function statusOf(message: unknown): number {
  if (!isObject(message) || message["jsonrpc"] !== "2.0") return 400;
  return message["method"] === undefined ? 204 : 202;
}
