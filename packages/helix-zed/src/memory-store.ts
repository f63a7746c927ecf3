import type { InteractionRecord, SessionRecord, SessionStore } from "./records.js";

/** Keeps everything in this process, for as long as it lives. */
export function memoryStore(): SessionStore {
  const sessions = new Map<string, SessionRecord>();
  const interactions = new Map<string, InteractionRecord>();
  const of = (sessionId: string): InteractionRecord[] => [...interactions.values()].filter((one) => one.sessionId === sessionId);
  return {
    load: (agentId) =>
      [...sessions.values()]
        .filter((session) => session.agentId === agentId)
        .map((session) => ({ ...session, waiting: of(session.id).filter(({ state }) => state === "waiting") })),
    saveSession: (session) => void sessions.set(session.id, session),
    saveInteraction: (interaction) => void interactions.set(interaction.requestId, interaction),
    interaction: (requestId) => interactions.get(requestId),
    interactions: of,
  };
}
