/** A session as far as its name goes. */
interface NamedSession {
  readonly id: string;
  /** Called with the id that the server gave it. */
  named(id: string): void;
}

/**
 * The session whose first run has begun and which the server has not named yet. There is one at a time: the ids of
 * their notifications are the only thing that tells sessions apart, and the first unknown one is that of this session.
 */
export class ClientNaming<Session extends NamedSession> {
  readonly #sessions: Map<string, Session>;
  #unnamed: Session | undefined;
  #free: Promise<void> = Promise.resolve();
  #release = (): void => {};

  /** @param sessions The sessions by their ids. A session that gets its name is moved. */
  constructor(sessions: Map<string, Session>) {
    this.#sessions = sessions;
  }

  /** The session of this id; an unknown id names the session that waits for its name. */
  sessionOf(id: string): Session | undefined {
    const known = this.#sessions.get(id);
    if (known !== undefined || this.#unnamed === undefined) return known;
    const session = this.#unnamed;
    this.#sessions.delete(session.id);
    session.named(id);
    this.#sessions.set(id, session);
    this.#end();
    return session;
  }

  /** Runs `begin`, the first run of a session, when no other session waits for its name. */
  async first<Result extends { readonly session_id: string }>(
    session: Session,
    begin: () => Promise<Result>,
  ): Promise<Result> {
    while (this.#unnamed !== undefined) await this.#free;
    this.#unnamed = session;
    this.#free = new Promise((resolve) => (this.#release = resolve));
    try {
      const result = await begin();
      this.sessionOf(result.session_id);
      return result;
    } finally {
      if (this.#unnamed === session) this.#end();
    }
  }

  #end(): void {
    this.#unnamed = undefined;
    this.#release();
  }
}
