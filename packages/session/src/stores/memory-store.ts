import { WireError } from "@editwire/core/errors";
import { History } from "../sessions/history.js";
import { pageOf } from "./pages.js";
import type { SessionFields, SessionKey, SessionLog, SessionRecord, SessionStore } from "./session-store.js";

/** How much a memory store keeps. */
export interface MemorySessionStoreOptions {
  /** Sessions of one caller. Beyond them, the least recently updated one is removed. Default 1,000. */
  maxSessions?: number | undefined;
  /** Entries of one session. Beyond them, the oldest are dropped. Default 10,000, of 16 Mi characters together. */
  maxEntries?: number | undefined;
}

interface Kept<Entry> {
  readonly key: SessionKey;
  record: SessionRecord;
  /** Grows with each update of any session. */
  order: number;
  readonly entries: History<Entry>;
  /** The log that may write. */
  writer: object | undefined;
}

/** Keeps sessions in memory, as long as the process runs. Several agents of one process may share it. */
export function memorySessionStore<Entry>(options: MemorySessionStoreOptions = {}): SessionStore<Entry> {
  return new MemorySessionStore<Entry>(options);
}

class MemorySessionStore<Entry> implements SessionStore<Entry> {
  /** The least recently updated one first. */
  readonly #sessions = new Map<string, Kept<Entry>>();
  readonly #maxSessions: number;
  readonly #maxEntries: number | undefined;
  #updates = 0;

  constructor({ maxSessions = 1_000, maxEntries }: MemorySessionStoreOptions) {
    this.#maxSessions = maxSessions;
    this.#maxEntries = maxEntries;
  }

  async create(key: SessionKey, fields: SessionFields): Promise<SessionLog<Entry>> {
    if (this.#sessions.has(nameOf(key))) throw new Error(`the session ${key.sessionId} already exists`);
    const record = { ...fields, sessionId: key.sessionId, updatedAt: now() };
    const entries = new History<Entry>({ maxItems: this.#maxEntries });
    const kept: Kept<Entry> = { key, record, order: ++this.#updates, entries, writer: undefined };
    this.#sessions.set(nameOf(key), kept);
    this.#makeRoom(key.caller);
    return this.#logOf(kept);
  }

  async open(key: SessionKey): Promise<SessionLog<Entry> | undefined> {
    const kept = this.#sessions.get(nameOf(key));
    return kept && this.#logOf(kept);
  }

  async list(query: Parameters<SessionStore<Entry>["list"]>[0]): ReturnType<SessionStore<Entry>["list"]> {
    const own = [...this.#sessions.values()].filter(({ key }) => key.caller === query.caller);
    return pageOf(own, query);
  }

  async delete(key: SessionKey): Promise<void> {
    this.#remove(nameOf(key));
  }

  #logOf(kept: Kept<Entry>): SessionLog<Entry> {
    const log: SessionLog<Entry> = {
      get record() {
        return kept.record;
      },
      append: async (entries) => {
        check();
        for (const entry of entries) kept.entries.add(entry);
        touch({});
      },
      change: async (fields) => {
        check();
        touch(fields);
      },
      flush: async () => check(),
      entries: async () => {
        check();
        return kept.entries.items;
      },
    };
    const check = (): void => {
      if (kept.writer !== log) throw logClosed(kept.key.sessionId);
    };
    const touch = (fields: Partial<SessionFields>): void => {
      kept.record = { ...kept.record, ...fields, updatedAt: now() };
      kept.order = ++this.#updates;
      this.#sessions.delete(nameOf(kept.key));
      this.#sessions.set(nameOf(kept.key), kept);
    };
    kept.writer = log;
    return log;
  }

  #makeRoom(caller: string | undefined): void {
    const own = [...this.#sessions.keys()].filter((name) => this.#sessions.get(name)?.key.caller === caller);
    for (const name of own.slice(0, Math.max(0, own.length - this.#maxSessions))) this.#remove(name);
  }

  #remove(name: string): void {
    const kept = this.#sessions.get(name);
    if (kept !== undefined) kept.writer = undefined;
    this.#sessions.delete(name);
  }
}

function now(): string {
  return new Date().toISOString();
}

function nameOf({ sessionId, caller }: SessionKey): string {
  return JSON.stringify([caller, sessionId]);
}

/** The error of a log that is not the writer of its session any more. */
export function logClosed(sessionId: string): WireError {
  return new WireError("closed", `the log of session ${sessionId} was opened elsewhere, or the session was deleted`);
}
