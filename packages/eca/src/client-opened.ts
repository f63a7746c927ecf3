import { WireError } from "@editwire/core";
import type { ClientChat } from "./client-chat.js";

/** The chats that a server opens by itself. Nothing says for whom, so one at a time waits for one. */
export class OpenedChats {
  readonly #make: (id: string) => ClientChat;
  readonly #onChat: ((chat: ClientChat) => void) | undefined;
  #take: ((chat: ClientChat) => void) | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(make: (id: string) => ClientChat, onChat: ((chat: ClientChat) => void) | undefined) {
    this.#make = make;
    this.#onChat = onChat;
  }

  /** Takes the id of a chat that nobody here knows, and makes it a chat if there is anybody for it. */
  add(id: string): ClientChat | undefined {
    const take = this.#take ?? this.#onChat;
    if (take === undefined) return undefined;
    const chat = this.#make(id);
    take(chat);
    return chat;
  }

  /** Runs what makes the server open a chat and show it, and gives that chat. Throws `WireError("invalid_result")` when there is none. */
  next(method: string, action: () => Promise<unknown>): Promise<ClientChat> {
    const next = this.#last.then(async () => {
      let opened: ClientChat | undefined;
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
