import type { InteractionRecord, SessionRecord, SessionStore } from "./records.js";

/** Keeps everything in this process, for as long as it lives. */
export function memoryStore(): SessionStore {
  const sessions = new Map<string, SessionRecord>();
  const interactions = new Map<string, InteractionRecord>();
  const byAgent = new Groups();
  const bySession = new Groups();
  const of = (sessionId: string): InteractionRecord[] =>
    bySession.of(sessionId).flatMap((requestId) => interactions.get(requestId) ?? []);
  return {
    load: (agentId) =>
      byAgent
        .of(agentId)
        .flatMap((id) => sessions.get(id) ?? [])
        .map((session) => ({ ...session, waiting: of(session.id).filter(({ state }) => state === "waiting") })),
    saveSession(session) {
      const before = sessions.get(session.id);
      if (before !== undefined && before.agentId !== session.agentId) byAgent.remove(before.agentId, session.id);
      sessions.set(session.id, session);
      byAgent.add(session.agentId, session.id);
    },
    saveInteraction(interaction) {
      interactions.set(interaction.requestId, interaction);
      bySession.add(interaction.sessionId, interaction.requestId);
    },
    interaction: (requestId) => interactions.get(requestId),
    interactions: of,
  };
}

/** Ids that belong together, in the order in which they came. */
class Groups {
  readonly #groups = new Map<string, Set<string>>();

  add(group: string, id: string): void {
    const ids = this.#groups.get(group);
    if (ids === undefined) this.#groups.set(group, new Set([id]));
    else ids.add(id);
  }

  remove(group: string, id: string): void {
    this.#groups.get(group)?.delete(id);
  }

  of(group: string): string[] {
    return [...(this.#groups.get(group) ?? [])];
  }
}
