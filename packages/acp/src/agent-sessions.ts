import { type Listeners, SessionMap } from "@editwire/session";
import type { AgentSession } from "./agent-session.js";

/** Characters that the histories of all sessions may have together, approximately. */
const maxHistoryChars = 128 * 1_048_576;
/** Characters that are added before all histories are counted again. */
const countEvery = 1_048_576;

/** The sessions of an agent, of all its connections. Each bounds its own history; here all are bounded together. */
export class AgentSessions extends SessionMap<AgentSession> {
  #added = 0;

  /**
   * Notes that the history of a session grew by `chars` characters. While all histories together are too large, the
   * least recently used session of the others loses its history, which is reported.
   */
  grew(grown: AgentSession, chars: number, onDiagnostic: Listeners["onDiagnostic"]): void {
    this.#added += chars;
    if (this.#added < countEvery) return;
    this.#added = 0;
    const { all } = this;
    let total = all.reduce((sum, { historyChars }) => sum + historyChars, 0);
    for (const session of all) {
      if (total <= maxHistoryChars) return;
      if (session === grown || session.historyChars === 0) continue;
      total -= session.historyChars;
      session.restore([]);
      const limit = `the sessions of an agent keep about ${maxHistoryChars} characters together`;
      const message = `The history of session ${session.id} was dropped, because ${limit}`;
      onDiagnostic({ id: "history-dropped", method: "session/load", message });
    }
  }
}
