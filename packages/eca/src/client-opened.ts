import { WireError } from "@editwire/core";
import type { ClientSession } from "./client-session.js";

/** The chats that a server opens by itself. Nothing says for whom, so one at a time waits for one. */
export class OpenedSessions {
  readonly #make: (id: string) => ClientSession;
  readonly #onSession: ((chat: ClientSession) => void) | undefined;
  #take: ((chat: ClientSession) => void) | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(make: (id: string) => ClientSession, onSession: ((chat: ClientSession) => void) | undefined) {
    this.#make = make;
    this.#onSession = onSession;
  }

  /** Takes the id of a chat that nobody here knows, and makes it a chat if there is anybody for it. */
  add(id: string): ClientSession | undefined {
    const take = this.#take ?? this.#onSession;
    if (take === undefined) return undefined;
    const chat = this.#make(id);
    take(chat);
    return chat;
  }

  /** Runs what makes the server open a chat and show it, and gives that chat. Throws `WireError("invalid_result")` when there is none. */
  next(method: string, action: () => Promise<unknown>): Promise<ClientSession> {
    const next = this.#last.then(async () => {
      let opened: ClientSession | undefined;
      let shown: Promise<unknown> | undefined;
      const acting = action();
      this.#take = (chat) => {
        this.#take = undefined;
        opened = chat;
        shown = chat.replay(() => acting.catch(() => {})); // whoever waits for the action hears of its failure
      };
      try {
        await acting;
        await shown;
      } finally {
        this.#take = undefined;
      }
      if (opened === undefined)
        throw new WireError("invalid_result", `${method}: the server did not tell of a new chat`);
      return opened;
    });
    this.#last = next.catch(() => {});
    return next;
  }
}
