import { safeListeners } from "@editwire/session";
import { type WebSocketUpgrader, webSocketUpgrader } from "@editwire/transport/node";
import { serveShared } from "../agent/agent.js";
import type { AcpAgent, AcpAgentConnection } from "../agent/api.js";
import type { AgentSessions } from "../agent/sessions.js";
import { AcpDialect } from "../shared/dialect.js";
import { isInitialize, remoteHeaders } from "./messages.js";
import type { AcpHandlerOptions } from "./options.js";
import { remotePath } from "./paths.js";

/** Serves an agent over WebSockets, for the way in `name`. */
export function webSockets(
  name: string,
  agent: AcpAgent,
  options: AcpHandlerOptions,
  sessions: AgentSessions,
): WebSocketUpgrader {
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
