import type { InteractionRecord, SessionRecord, SessionStore } from "./records.js";

/** The part of a synchronous SQLite driver that the store uses: `node:sqlite`, `better-sqlite3` and `libsql` have it. */
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

/** Every commit reaches the disk before it returns: neither a killed process nor a lost machine takes one back. */
const schema = `
  PRAGMA busy_timeout = 5000;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS helix_sessions (
    place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, agent_id TEXT NOT NULL, thread_id TEXT, title TEXT
  );
  CREATE INDEX IF NOT EXISTS helix_sessions_by_agent ON helix_sessions (agent_id);
  CREATE TABLE IF NOT EXISTS helix_interactions (
    place INTEGER PRIMARY KEY AUTOINCREMENT, request_id TEXT NOT NULL UNIQUE, session_id TEXT NOT NULL, state TEXT NOT NULL, record TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS helix_interactions_by_session ON helix_interactions (session_id, place);
  CREATE INDEX IF NOT EXISTS helix_interactions_waiting ON helix_interactions (session_id, place) WHERE state = 'waiting';
`;

interface SessionRow {
  readonly id: string;
  readonly agent_id: string;
  readonly thread_id: string | null;
  readonly title: string | null;
}

/**
 * Keeps sessions and interactions in a SQLite database, in tables whose names begin with `helix_`; what was saved survives a
 * host that is killed at any moment. Each call is one statement, and so one transaction. Throws what the driver throws.
 */
export function sqliteStore(database: SqliteDatabase): SessionStore {
  database.exec(schema);
  const sessionsOf = database.prepare(
    "SELECT id, agent_id, thread_id, title FROM helix_sessions WHERE agent_id = ? ORDER BY place",
  );
  const saveSession = database.prepare(`
    INSERT INTO helix_sessions (id, agent_id, thread_id, title) VALUES (?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET agent_id = excluded.agent_id, thread_id = excluded.thread_id, title = excluded.title`);
  const saveInteraction = database.prepare(`
    INSERT INTO helix_interactions (request_id, session_id, state, record) VALUES (?, ?, ?, ?)
    ON CONFLICT (request_id) DO UPDATE SET state = excluded.state, record = excluded.record`);
  const waitingOf = database.prepare(
    "SELECT record FROM helix_interactions WHERE session_id = ? AND state = 'waiting' ORDER BY place",
  );
  const allOf = database.prepare("SELECT record FROM helix_interactions WHERE session_id = ? ORDER BY place");
  const one = database.prepare("SELECT record FROM helix_interactions WHERE request_id = ?");

  return {
    load: (agentId) =>
      (sessionsOf.all(toSql(agentId)) as SessionRow[]).map((row) => ({
        ...sessionIn(row),
        waiting: waitingOf.all(row.id).map(interactionIn),
      })),
    saveSession: ({ id, agentId, threadId, title }) =>
      void saveSession.run(toSql(id), toSql(agentId), toSql(threadId), toSql(title)),
    saveInteraction: (record) =>
      void saveInteraction.run(toSql(record.requestId), toSql(record.sessionId), record.state, JSON.stringify(record)),
    interaction(requestId) {
      const row = one.get(toSql(requestId));
      return row === undefined || row === null ? undefined : interactionIn(row);
    },
    interactions: (sessionId) => allOf.all(toSql(sessionId)).map(interactionIn),
  };
}

/** What SQLite's UTF-8 cannot tell apart, what drivers cut off at a zero, and what could be taken for an escaped text. */
const unsafe = /^\\|\0|\p{Surrogate}/u;

/** A text as a column holds it: nearly always as it is. */
function toSql(text: string | undefined): string | null {
  if (text === undefined) return null;
  return unsafe.test(text) ? `\\${JSON.stringify(text)}` : text;
}

function fromSql(text: string): string {
  return text.startsWith("\\") ? (JSON.parse(text.slice(1)) as string) : text;
}

function sessionIn({ id, agent_id, thread_id, title }: SessionRow): SessionRecord {
  return {
    id: fromSql(id),
    agentId: fromSql(agent_id),
    threadId: thread_id === null ? undefined : fromSql(thread_id),
    title: title === null ? undefined : fromSql(title),
  };
}

function interactionIn(row: unknown): InteractionRecord {
  return JSON.parse((row as { record: string }).record) as InteractionRecord;
}
