import { HistoryMap } from "@editwire/session";
import type { AgentSession } from "./session.js";

/** The sessions of an agent, of all its connections. */
export class AgentSessions extends HistoryMap<AgentSession> {}
