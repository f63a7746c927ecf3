/** The part of a session that a `SessionMap` uses. */
export interface Evictable {
  readonly id: string;
  /** True while a turn runs. */
  readonly running: boolean;
  /** Called when the session leaves the map. */
  forgotten?(): void;
}

/** Sessions by id. Beyond its limit it forgets the least recently used one that is not running. */
export class SessionMap<Session extends Evictable> {
  readonly #sessions = new Map<string, Session>();
  readonly #max: number;

  /** @param max Sessions to keep. Default 1,000. */
  constructor(max = 1_000) {
    this.#max = max;
  }

  /** The number of sessions. */
  get size(): number {
    return this.#sessions.size;
  }

  /** All sessions, the least recently used one first. */
  get all(): Session[] {
    return [...this.#sessions.values()];
  }

  /** The session of this id; this does not count as a use. */
  get(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  /** The session of this id; it is now the most recently used one. */
  use(id: string): Session | undefined {
    const session = this.#sessions.get(id);
    if (session !== undefined) this.add(session);
    return session;
  }

  /** Adds a session as the most recently used one. The others make room for it. */
  add(session: Session): void {
    this.#sessions.delete(session.id);
    this.#sessions.set(session.id, session);
    for (const other of this.#sessions.values()) {
      if (this.#sessions.size <= this.#max) return;
      if (!other.running && other !== session) this.delete(other);
    }
  }

  /** Removes a session, but not another one that has its id now. Returns whether it was there. */
  delete(session: Session): boolean {
    if (this.#sessions.get(session.id) !== session) return false;
    this.#sessions.delete(session.id);
    session.forgotten?.();
    return true;
  }

  /** Removes all sessions. */
  clear(): void {
    for (const session of this.all) this.delete(session);
  }
}

/** A map that keeps the values that were set last: beyond its limit, it forgets those that were set the longest ago. */
export class LatestMap<Key, Value> extends Map<Key, Value> {
  readonly #max: number;

  /** @param max Values to keep. */
  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    const oldest = this.keys().next();
    if (this.size > this.#max && !oldest.done) this.delete(oldest.value);
    return this;
  }
}
