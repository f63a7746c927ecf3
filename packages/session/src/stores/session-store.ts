/** Names a session in a store. */
export interface SessionKey {
  readonly sessionId: string;
  /** Whose session it is: for other callers it does not exist. `undefined` where nobody signs in. */
  readonly caller: string | undefined;
}

/** The facts about a session that a binding keeps besides its entries. */
export interface SessionFields {
  /** Absolute path of the working directory. */
  readonly cwd: string;
  readonly title?: string | undefined;
  /** The binding's own data, as a JSON object: such as the mode, and the values of settings. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/** A session of a store, without its entries. */
export interface SessionRecord extends SessionFields {
  readonly sessionId: string;
  /** The time of the last entry or change, in ISO 8601. */
  readonly updatedAt: string;
}

/** Which sessions to list. */
export interface SessionQuery {
  readonly caller: string | undefined;
  /** Only sessions of this working directory. Default: all. */
  readonly cwd?: string | undefined;
  /** The `nextCursor` of the page before. Default: the first page. */
  readonly cursor?: string | undefined;
  /** Sessions of a page. Default 50. */
  readonly limit?: number | undefined;
}

/** Sessions, the most recently updated one first. */
export interface SessionPage {
  readonly sessions: readonly SessionRecord[];
  /** Absent: this was the last page. */
  readonly nextCursor?: string | undefined;
}

/**
 * The log of one session, open for writing. A session has one writer: opening it again, from this or from another
 * process, closes the log that was open before. All its methods then reject with `WireError("closed")`, and so they do
 * when the session is deleted. Calls take effect in their order.
 */
export interface SessionLog<Entry> {
  /** The last known facts about the session. */
  readonly record: SessionRecord;
  /** Adds entries at the end. When it resolves, they survive the end of this process. */
  append(entries: readonly Entry[]): Promise<void>;
  /** Replaces the fields that are given; `title: undefined` removes the title. */
  change(fields: Partial<SessionFields>): Promise<void>;
  /** Makes what was added survive a power failure, if the store can. Bindings call it at the end of a turn. */
  flush(): Promise<void>;
  /** The entries so far, oldest first. */
  entries(): Promise<readonly Entry[]>;
}

/** Keeps sessions, for agents whose sessions outlive a connection or a process. `Entry` is JSON of the binding. */
export interface SessionStore<Entry> {
  /** Adds a session. Rejects with an `Error` for an id that is taken. */
  create(key: SessionKey, fields: SessionFields): Promise<SessionLog<Entry>>;
  /** Opens the log of a session. `undefined`: the caller has no session of this id. */
  open(key: SessionKey): Promise<SessionLog<Entry> | undefined>;
  /** One page of the caller's sessions. Rejects with `RemoteError` -32602 for a cursor that no page gave. */
  list(query: SessionQuery): Promise<SessionPage>;
  /** Removes a session for good. One that does not exist is not an error. */
  delete(key: SessionKey): Promise<void>;
}
