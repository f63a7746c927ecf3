import { isObject } from "@editwire/core";
import { safeListeners } from "@editwire/session";
import { type HttpServer, httpServer } from "@editwire/transport/node";
import { serveShared } from "../agent/agent.js";
import type { AcpAgent } from "../agent/api.js";
import type { AgentSessions } from "../agent/sessions.js";
import { AcpDialect } from "../shared/dialect.js";
import { isInitialize } from "./messages.js";
import type { AcpHandlerOptions } from "./options.js";
import { eventsPath, httpPathsReason, rpcPath } from "./paths.js";

/** Serves an agent over the HTTP transport of the specification (spec 1), for the way in `name`. */
export function specHttp(
  name: string,
  agent: AcpAgent,
  options: AcpHandlerOptions,
  sessions: AgentSessions,
): HttpServer {
  return httpServer({
    ...options,
    onDiagnostic: safeListeners(options).onDiagnostic,
    rpcPath,
    eventsPath,
    statusOf,
    opens: isInitialize,
    onClient: (transport, { caller }) =>
      void serveShared(name, transport, agent, options, { sessions, caller, dialect: specified() }),
  });
}

/** Who uses these paths speaks the dialect `spec`, unless the options or official capabilities say otherwise. */
function specified(): AcpDialect {
  const found = new AcpDialect("agent");
  found.assume("spec", httpPathsReason);
  return found;
}

/** 202 takes a request or a notification, 204 a response; 400 refuses what is not a single JSON-RPC 2.0 message. */
function statusOf(message: unknown): number {
  if (!isObject(message) || message["jsonrpc"] !== "2.0") return 400;
  return message["method"] === undefined ? 204 : 202;
}
