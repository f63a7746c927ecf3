import type { Listeners } from "../options/listeners.js";
import { type Evictable, SessionMap } from "./session-map.js";

/** The part of a session that a `HistoryMap` uses. */
export interface WithHistory extends Evictable {
  /** The characters of its history, approximately. */
  readonly historyChars: number;
  /** Forgets its history. */
  dropHistory(): void;
}

/** Characters that the histories of all sessions may have together, approximately. */
const maxHistoryChars = 128 * 1_048_576;
/** Characters that are added before all histories are counted again. */
const countEvery = 1_048_576;

/** Sessions with histories. Each session bounds its own history; here all are bounded together. */
export class HistoryMap<Session extends WithHistory> extends SessionMap<Session> {
  #added = 0;

  /**
   * Notes that the history of a session grew by `chars` characters. While all histories together are too large, the
   * least recently used session of the others loses its history, which is reported for `method`.
   */
  grew(grown: Session, chars: number, method: string, onDiagnostic: Listeners["onDiagnostic"]): void {
    this.#added += chars;
    if (this.#added < countEvery) return;
    this.#added = 0;
    const { all } = this;
    let total = all.reduce((sum, { historyChars }) => sum + historyChars, 0);
    for (const session of all) {
      if (total <= maxHistoryChars) return;
      if (session === grown || session.historyChars === 0) continue;
      total -= session.historyChars;
      session.dropHistory();
      const limit = `all sessions keep about ${maxHistoryChars} characters together`;
      const message = `The history of session ${session.id} was dropped, because ${limit}`;
      onDiagnostic({ id: "history-dropped", method, message });
    }
  }
}
