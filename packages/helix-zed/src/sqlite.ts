import type { HelixZedInteraction, HelixZedSessionRecord, HelixZedStore } from "./host/records.js";

/**
 * The part of a synchronous SQLite driver that the store uses: `node:sqlite`, `better-sqlite3` and `libsql` have it.
 */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
}

/** A prepared statement of such a driver. */
export interface SqliteStatement {
  run(...values: unknown[]): unknown;
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
}

/** Every commit reaches the disk before it returns: neither a killed process nor a power failure undoes one. */
const schema = `
  PRAGMA busy_timeout = 5000;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS helix_sessions (
    place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, agent_id TEXT NOT NULL, thread_id TEXT, title TEXT
  );
  CREATE INDEX IF NOT EXISTS helix_sessions_by_agent ON helix_sessions (agent_id);
  CREATE TABLE IF NOT EXISTS helix_interactions (
    place INTEGER PRIMARY KEY AUTOINCREMENT, request_id TEXT NOT NULL UNIQUE, session_id TEXT NOT NULL,
    state TEXT NOT NULL, record TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS helix_interactions_by_session ON helix_interactions (session_id, place);
  CREATE INDEX IF NOT EXISTS helix_interactions_waiting ON helix_interactions (session_id, place)
    WHERE state = 'waiting';
  CREATE TABLE IF NOT EXISTS helix_host (one INTEGER PRIMARY KEY CHECK (one = 1), owner TEXT NOT NULL);
`;

interface SessionRow {
  readonly id: string;
  readonly agent_id: string;
  readonly thread_id: string | null;
  readonly title: string | null;
}

/**
 * Keeps sessions and interactions in a SQLite database, in tables whose names begin with `helix_`. Saved records
 * survive a host that is killed at any moment. The newest store owns the database: an older one throws in `load` and in
 * everything that writes, so that two hosts never run the same requests. Otherwise it throws what the driver throws.
 */
export function sqliteStore(database: SqliteDatabase): HelixZedStore {
  database.exec(schema);
  const owner = claim(database);
  const query = queries(database, owner.isOwned);
  return {
    load(agentId) {
      owner.check();
      return (query.sessionsOf.all(toSql(agentId)) as SessionRow[]).map((row) => ({
        ...sessionIn(row),
        waiting: query.waitingOf.all(row.id).map(interactionIn),
      }));
    },
    session: (id) => sessionOrNone(query.session.get(toSql(id))),
    sessions: () => (query.sessions.all() as SessionRow[]).map(sessionIn),
    saveSession: ({ id, agentId, threadId, title }) =>
      owner.checkChange(query.saveSession.run(toSql(id), toSql(agentId), toSql(threadId), toSql(title))),
    deleteSession(id) {
      owner.check();
      query.deleteInteractions.run(toSql(id));
      query.deleteSession.run(toSql(id));
    },
    saveInteraction: (record) =>
      owner.checkChange(
        query.saveInteraction.run(
          toSql(record.requestId),
          toSql(record.sessionId),
          record.state,
          JSON.stringify(record),
        ),
      ),
    interaction(requestId) {
      const row = query.interaction.get(toSql(requestId));
      return row === undefined || row === null ? undefined : interactionIn(row);
    },
    interactions: (sessionId) => query.interactions.all(toSql(sessionId)).map(interactionIn),
  };
}

/** Makes this store the owner of the database, and says how to find out whether it still is. */
function claim(database: SqliteDatabase) {
  const id = crypto.randomUUID();
  const isOwned = `(SELECT owner FROM helix_host) = '${id}'`;
  database
    .prepare("INSERT INTO helix_host VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET owner = excluded.owner")
    .run(id);
  const own = database.prepare(`SELECT ${isOwned} AS own`);
  const refuse = (): never => {
    throw new Error("another host took over the database; this host can no longer use it");
  };
  return {
    /** The condition in SQL. */
    isOwned,
    check(): void {
      if (Number((own.get() as { own: number }).own) === 0) refuse();
    },
    /** Checks the result of a statement that changes one row where the condition holds. */
    checkChange(result: unknown): void {
      if (Number((result as { changes: number }).changes) === 0) refuse();
    },
  };
}

/** The statements of the store. Those that save change nothing unless `isOwned` holds. */
function queries(database: SqliteDatabase, isOwned: string) {
  const columns = "SELECT id, agent_id, thread_id, title FROM helix_sessions";
  const records = "SELECT record FROM helix_interactions";
  return {
    session: database.prepare(`${columns} WHERE id = ?`),
    sessions: database.prepare(`${columns} ORDER BY place`),
    sessionsOf: database.prepare(`${columns} WHERE agent_id = ? ORDER BY place`),
    interaction: database.prepare(`${records} WHERE request_id = ?`),
    interactions: database.prepare(`${records} WHERE session_id = ? ORDER BY place`),
    waitingOf: database.prepare(`${records} WHERE session_id = ? AND state = 'waiting' ORDER BY place`),
    saveSession: database.prepare(`
      INSERT INTO helix_sessions (id, agent_id, thread_id, title) SELECT ?, ?, ?, ? WHERE ${isOwned}
      ON CONFLICT (id) DO UPDATE
      SET agent_id = excluded.agent_id, thread_id = excluded.thread_id, title = excluded.title`),
    saveInteraction: database.prepare(`
      INSERT INTO helix_interactions (request_id, session_id, state, record) SELECT ?, ?, ?, ? WHERE ${isOwned}
      ON CONFLICT (request_id) DO UPDATE SET state = excluded.state, record = excluded.record`),
    deleteSession: database.prepare("DELETE FROM helix_sessions WHERE id = ?"),
    deleteInteractions: database.prepare("DELETE FROM helix_interactions WHERE session_id = ?"),
  };
}

/** Strings that SQLite's UTF-8 cannot distinguish, that drivers cut off at a zero, or that look like an escaped one. */
const unsafe = /^\\|\0|\p{Surrogate}/u;

/** A string as a column holds it: nearly always as it is. */
function toSql(text: string | undefined): string | null {
  if (text === undefined) return null;
  return unsafe.test(text) ? `\\${JSON.stringify(text)}` : text;
}

function fromSql(text: string): string {
  return text.startsWith("\\") ? (JSON.parse(text.slice(1)) as string) : text;
}

function sessionOrNone(row: unknown): HelixZedSessionRecord | undefined {
  return row === undefined || row === null ? undefined : sessionIn(row as SessionRow);
}

function sessionIn({ id, agent_id, thread_id, title }: SessionRow): HelixZedSessionRecord {
  return {
    id: fromSql(id),
    agentId: fromSql(agent_id),
    threadId: thread_id === null ? undefined : fromSql(thread_id),
    title: title === null ? undefined : fromSql(title),
  };
}

function interactionIn(row: unknown): HelixZedInteraction {
  return JSON.parse((row as { record: string }).record) as HelixZedInteraction;
}
