import { RemoteError } from "@editwire/core";
import { HistoryMap, type Listeners } from "@editwire/session";
import type { ServerToolCall } from "./tool-call.js";
import { ServerSession } from "./session.js";
import type { ServerTurn } from "./turn.js";

/** The sessions of one connection. */
export class ServerSessions {
  readonly #sessions: HistoryMap<ServerSession>;
  readonly #onGrowth: (session: ServerSession, chars: number) => void;

  /** Keeps at most `max` sessions (default 1,000), and reports the histories that it drops. */
  constructor(max: number | undefined, onDiagnostic: Listeners["onDiagnostic"]) {
    this.#sessions = new HistoryMap(max);
    this.#onGrowth = (session, chars) => this.#sessions.grew(session, chars, "chat/open", onDiagnostic);
  }

  /** The session of this id, if there is one. */
  get(id: string): ServerSession | undefined {
    return this.#sessions.get(id);
  }

  /** All sessions, the most recently used one first. */
  get all(): ServerSession[] {
    return this.#sessions.all.reverse();
  }

  /** The session of this id. Throws -32602 when there is none. */
  known(method: string, id: string): ServerSession {
    const session = this.#sessions.get(id);
    if (session === undefined || session.deleted)
      throw RemoteError.invalidParams(`${method}: there is no chat ${id}`, { code: "chat_not_found", chatId: id });
    return session;
  }

  /** The session to prompt in: a known or a new one. Throws -32600 while a turn runs in it. */
  open(wanted: string | undefined): ServerSession {
    const id = wanted ?? crypto.randomUUID();
    if (this.#sessions.get(id)?.running === true)
      throw RemoteError.invalidRequest(`chat/prompt: chat ${id} has a running turn; stop it first`, { chatId: id });
    return this.ensure(id, wanted === undefined);
  }

  /** The session of this id, or a new one. `minted` says that the server made the id. */
  ensure(id: string, minted: boolean): ServerSession {
    const known = this.#sessions.get(id);
    const session = known === undefined || known.deleted ? new ServerSession(id, minted, this.#onGrowth) : known;
    this.#sessions.add(session);
    return session;
  }

  /** Forgets a session, but not another one that has its id now. */
  delete(session: ServerSession): void {
    this.#sessions.delete(session);
  }

  /** The running turns. */
  get turns(): ServerTurn[] {
    return this.#sessions.all.flatMap(({ turn }) => turn ?? []);
  }

  /** The running turn of a session; for an empty id, the only one of the sessions whose ids the server made. */
  turn(id: string): ServerTurn | undefined {
    const turns = this.#turnsOf(id);
    return turns.length === 1 ? turns[0] : undefined;
  }

  /** The open tool call of an id. */
  toolCall(sessionId: string, id: string): ServerToolCall | undefined {
    const calls = this.#turnsOf(sessionId).flatMap((turn) => turn.openCall(id) ?? []);
    return calls.length === 1 ? calls[0] : undefined;
  }

  /** The running turn of a session. Some clients lose an id that the server made, and then send none. */
  #turnsOf(id: string): ServerTurn[] {
    return this.turns.filter(({ session }) => (id === "" ? session.minted : session.id === id));
  }
}
