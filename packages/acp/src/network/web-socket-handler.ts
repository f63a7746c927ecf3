import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { safeListeners } from "@editwire/session";
import { type WebSocketServerOptions, webSocketUpgrader } from "@editwire/transport/node";
import { checkAgent, serveShared } from "../agent/agent.js";
import type { AcpAgent, AcpAgentConnection, AcpAgentOptions } from "../agent/api.js";
import { AgentSessions, endingSessions } from "../agent/sessions.js";
import { AcpDialect } from "../shared/dialect.js";
import { isInitialize, remoteHeaders } from "./messages.js";
import { remotePath } from "./paths.js";

/** How an agent is served over WebSockets; `hosts`, `origins`, `token` and `authenticate` say to whom. */
export interface AcpWebSocketHandlerOptions
  extends AcpAgentOptions,
    Omit<WebSocketServerOptions, "refuse" | "refuseOpen" | "opens" | "answerHeaders" | "readBinary"> {
  /** The path at which clients dial. Default `/acp`. */
  path?: string | undefined;
}

/** An agent for an HTTP server that exists. */
export interface AcpWebSocketHandler {
  /**
   * The listener for `server.on("upgrade", …)`. Returns false for an upgrade of another path, and leaves its socket
   * alone: another listener, or the caller, has to answer it. A client that may not connect is refused before the
   * upgrade: 401 without credentials, 403 for a foreign `Origin` or `Host`, 503 above `maxConnections`. A client keeps
   * its slot from its `initialize` on: before that, another client may take it.
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Closes every connection; running turns are cancelled. */
  close(): Promise<void>;
}

/**
 * Serves an agent to the WebSocket upgrades of an existing HTTP server. The clients share the agent's sessions, as over
 * HTTP: updates and permission requests go to the client that created or last loaded a session. With `authenticate`,
 * sessions belong to their caller: for others they do not exist. Without `onError`, errors that clients do not get go
 * to stderr. Throws a `TypeError` for an agent without `prompt`.
 */
export function acpWebSocketHandler(agent: AcpAgent, options: AcpWebSocketHandlerOptions = {}): AcpWebSocketHandler {
  checkAgent("acpWebSocketHandler", agent, options);
  const sessions = new AgentSessions(options.maxSessions);
  return endingSessions(webSocketHandler("acpWebSocketHandler", agent, options, sessions), sessions);
}

/** As `acpWebSocketHandler`, for the way in `name`, with sessions that another listener may share. */
export function webSocketHandler(
  name: string,
  agent: AcpAgent,
  options: AcpWebSocketHandlerOptions,
  sessions: AgentSessions,
): AcpWebSocketHandler {
  const connections = new Set<AcpAgentConnection>();
  const upgrader = webSocketUpgrader(
    (transport, _request, caller) => {
      const connection = serveShared(name, transport, agent, options, {
        sessions,
        caller,
        dialect: new AcpDialect("agent"),
      });
      connections.add(connection);
      void connection.closed.then(() => connections.delete(connection));
    },
    {
      ...options,
      onDiagnostic: safeListeners(options).onDiagnostic,
      path: options.path ?? remotePath,
      opens: isInitialize,
      readBinary: "if-first", // clients that write a byte stream into a WebSocket send nothing but binary frames
      answerHeaders: () => ({ [remoteHeaders.connection]: crypto.randomUUID() }),
    },
  );
  return {
    upgrade: upgrader.upgrade,
    async close() {
      await Promise.all(Array.from(connections, (connection) => connection.close()));
      await upgrader.close();
    },
  };
}
