import { WireError } from "@editwire/core";
import type { ClientSession } from "./session.js";

/**
 * The sessions that a server opens by itself. The protocol does not say why, so one request at a time waits for one.
 */
export class OpenedSessions {
  readonly #make: (id: string) => ClientSession;
  readonly #onSession: ((session: ClientSession) => void) | undefined;
  #take: ((session: ClientSession) => void) | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(make: (id: string) => ClientSession, onSession: ((session: ClientSession) => void) | undefined) {
    this.#make = make;
    this.#onSession = onSession;
  }

  /** Takes an unknown id. It becomes a session when a request or the application waits for one. */
  add(id: string): ClientSession | undefined {
    const take = this.#take ?? this.#onSession;
    if (take === undefined) return undefined;
    const session = this.#make(id);
    take(session);
    return session;
  }

  /**
   * Runs what makes the server open a session and show it, and returns that session. Throws
   * `WireError("invalid_result")` when there is none.
   */
  next(method: string, action: () => Promise<unknown>): Promise<ClientSession> {
    const next = this.#last.then(async () => {
      let opened: ClientSession | undefined;
      let shown: Promise<unknown> | undefined;
      const acting = action();
      this.#take = (session) => {
        this.#take = undefined;
        opened = session;
        shown = session.replay(() => acting.catch(() => {})); // the caller gets the error of the action itself
      };
      try {
        await acting;
        await shown;
      } finally {
        this.#take = undefined;
      }
      if (opened === undefined) throw new WireError("invalid_result", `${method}: the server opened no new session`);
      return opened;
    });
    this.#last = next.catch(() => {});
    return next;
  }
}
