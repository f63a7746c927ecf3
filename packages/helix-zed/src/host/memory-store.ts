import type { HelixZedInteraction, HelixZedSessionRecord, HelixZedStore } from "./records.js";

/** Keeps sessions and interactions in this process; they are lost when it ends. */
export function memoryStore(): HelixZedStore {
  const sessions = new Map<string, HelixZedSessionRecord>();
  const interactions = new Map<string, HelixZedInteraction>();
  const byAgent = new Groups();
  const bySession = new Groups();
  const of = (sessionId: string): HelixZedInteraction[] =>
    bySession.of(sessionId).flatMap((requestId) => interactions.get(requestId) ?? []);
  return {
    load: (agentId) =>
      byAgent
        .of(agentId)
        .flatMap((id) => sessions.get(id) ?? [])
        .map((session) => ({ ...session, waiting: of(session.id).filter(({ state }) => state === "waiting") })),
    session: (id) => sessions.get(id),
    sessions: () => [...sessions.values()],
    saveSession(session) {
      const before = sessions.get(session.id);
      if (before !== undefined && before.agentId !== session.agentId) byAgent.remove(before.agentId, session.id);
      sessions.set(session.id, session);
      byAgent.add(session.agentId, session.id);
    },
    deleteSession(id) {
      const session = sessions.get(id);
      if (session !== undefined) byAgent.remove(session.agentId, id);
      sessions.delete(id);
      for (const requestId of bySession.take(id)) interactions.delete(requestId);
    },
    saveInteraction(interaction) {
      interactions.set(interaction.requestId, interaction);
      bySession.add(interaction.sessionId, interaction.requestId);
    },
    interaction: (requestId) => interactions.get(requestId),
    interactions: of,
  };
}

/** Ids that belong together, in the order in which they were added. */
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

  /** Removes a group and gives its ids. */
  take(group: string): string[] {
    const ids = this.of(group);
    this.#groups.delete(group);
    return ids;
  }
}
