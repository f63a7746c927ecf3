import { RemoteError } from "@editwire/core";
import type { ServerTurn } from "./server-turn.js";
import type { ServerToolCall } from "./server-tool-call.js";
import { ServerSession } from "./server-session.js";

/** The chats of one connection. */
export class ServerSessions {
  readonly #chats = new Map<string, ServerSession>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** A chat that exists. */
  get(id: string): ServerSession | undefined {
    return this.#chats.get(id);
  }

  /** Every chat. */
  get all(): ServerSession[] {
    return [...this.#chats.values()];
  }

  /** A chat that exists. Throws -32602 for one that does not. */
  known(method: string, id: string): ServerSession {
    const chat = this.#chats.get(id);
    if (chat === undefined || chat.deleted)
      throw RemoteError.invalidParams(`${method}: there is no chat ${id}`, { code: "chat_not_found", chatId: id });
    return chat;
  }

  /** The chat of this id, or a new one; without an id, a new one under an id of ours. Throws -32600 while it has a turn. */
  open(wanted: string | undefined): ServerSession {
    const id = wanted ?? crypto.randomUUID();
    if (this.#chats.get(id)?.turn !== undefined)
      throw RemoteError.invalidRequest(`chat/prompt: chat ${id} has a running turn; stop it first`, { chatId: id });
    return this.ensure(id, wanted === undefined);
  }

  /** The chat of this id, or a new one; `minted` where the id is ours. */
  ensure(id: string, minted: boolean): ServerSession {
    const known = this.#chats.get(id);
    const chat = known === undefined || known.deleted ? new ServerSession(id, minted) : known;
    this.#chats.delete(id); // the last in the map is the one that was used last
    this.#chats.set(id, chat);
    for (const [oldest, { turn }] of this.#chats) {
      if (this.#chats.size <= this.#max) break;
      if (turn === undefined && oldest !== id) this.#chats.delete(oldest);
    }
    return chat;
  }

  /** Forgets a chat, and not another one that has its id by now. */
  delete(chat: ServerSession): void {
    if (this.#chats.get(chat.id) === chat) this.#chats.delete(chat.id);
  }

  /** The running turns. */
  get turns(): ServerTurn[] {
    return [...this.#chats.values()].flatMap(({ turn }) => turn ?? []);
  }

  /** The running turn of a chat; without an id, the only one of those whose ids the server made. */
  turn(id: string | undefined): ServerTurn | undefined {
    const turns = this.#turnsOf(id);
    return turns.length === 1 ? turns[0] : undefined;
  }

  /** The open tool call of an id. */
  toolCall(chatId: string | undefined, id: string): ServerToolCall | undefined {
    const calls = this.#turnsOf(chatId).flatMap((turn) => turn.openCall(id) ?? []);
    return calls.length === 1 ? calls[0] : undefined;
  }

  /** The running turn of a chat. Some clients lose an id that the server made; without one, the turns of all such chats. */
  #turnsOf(id: string | undefined): ServerTurn[] {
    return this.turns.filter(({ session }) => (id === undefined ? session.minted : session.id === id));
  }
}
