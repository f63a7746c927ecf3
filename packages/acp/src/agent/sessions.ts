import { HistoryMap } from "@editwire/session";
import type { AgentSession } from "./session.js";

/** The sessions of an agent, of all its connections. */
export class AgentSessions extends HistoryMap<AgentSession> {}

/** A server whose sessions end with it. */
export function endingSessions<Server extends { close(): Promise<void> }>(
  server: Server,
  sessions: AgentSessions,
): Server {
  return {
    ...server,
    async close() {
      await server.close();
      sessions.clear();
    },
  };
}
