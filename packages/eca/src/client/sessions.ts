import type { EcaParams, EcaResult } from "@editwire/eca-schema";
import { WireError } from "@editwire/core";
import { EarlyMessages, type Listeners } from "@editwire/session";
import type { ClientSession } from "./session.js";

interface Received {
  readonly received: EcaParams<"chat/contentReceived">;
  /** Characters of the message. */
  readonly chars: number;
}

/** The sessions of a client. They get what is received, also what comes before the answer that names them. */
export class ClientSessions {
  readonly #sessions = new Map<string, ClientSession>();
  /** The sessions whose prompts are not answered. */
  readonly #asking = new Set<ClientSession>();
  readonly #early: EarlyMessages<Received>;
  readonly #openSubagent: (id: string, parent: ClientSession) => ClientSession;

  /** `openSubagent` makes the session of a chat that another chat has started. */
  constructor(
    onDiagnostic: Listeners["onDiagnostic"],
    openSubagent: (id: string, parent: ClientSession) => ClientSession,
  ) {
    this.#openSubagent = openSubagent;
    this.#early = new EarlyMessages({
      id: "unknown-session",
      method: "chat/contentReceived",
      subject: "session",
      onDiagnostic,
    });
  }

  get(id: string): ClientSession | undefined {
    return this.#sessions.get(id);
  }

  /** Every session that something can be received for. */
  all(): Set<ClientSession> {
    return new Set([...this.#sessions.values(), ...this.#asking]);
  }

  add(session: ClientSession): void {
    if (session.id !== undefined) this.#sessions.set(session.id, session);
  }

  delete(id: string): void {
    this.#sessions.delete(id);
  }

  /** Takes a content. */
  receive(received: EcaParams<"chat/contentReceived">, chars: number): void | Promise<void> {
    const { chatId, parentChatId } = received;
    const session = parentChatId === undefined ? this.#ofChat(received) : this.#subagent(chatId, parentChatId);
    if (session !== undefined) return session.receive(received, chars);
    this.#early.keep(parentChatId ?? chatId, { received, chars });
  }

  /** Sends a prompt. Then the session has its id, and gets what came for it before. */
  ask(session: ClientSession, prompt: () => Promise<EcaResult<"chat/prompt">>): Promise<EcaResult<"chat/prompt">> {
    this.add(session);
    this.#asking.add(session);
    return this.#early.during(async () => {
      try {
        const result = await prompt();
        this.#name(session, result.chatId);
        return result;
      } finally {
        this.#asking.delete(session);
      }
    });
  }

  #ofChat(received: EcaParams<"chat/contentReceived">): ClientSession | undefined {
    return this.#sessions.get(received.chatId) ?? this.#byRequest(received);
  }

  /** The session of a subagent's chat; made here when its parent is known. */
  #subagent(id: string, parentId: string): ClientSession | undefined {
    const parent = this.#sessions.get(parentId);
    const known = this.#sessions.get(id);
    if (known === undefined) return parent && this.#openSubagent(id, parent);
    if (parent !== undefined && !descends(parent, known)) known.parent ??= parent;
    return known;
  }

  /** A server that repeats the id of the prompt says by it which session a content is for. */
  #byRequest({ chatId, requestId }: EcaParams<"chat/contentReceived">): ClientSession | undefined {
    if (requestId === undefined) return undefined;
    const session = [...this.#asking].find((candidate) => candidate.requestId === String(requestId));
    if (session !== undefined) this.#name(session, chatId);
    return session;
  }

  /**
   * Throws `WireError("invalid_result")` for the id of another session that was prompted, because no content would tell
   * the two apart.
   */
  #name(session: ClientSession, id: string): void {
    const known = this.#sessions.get(id);
    if (known !== undefined && known !== session && known.wasPrompted)
      throw new WireError("invalid_result", `chat/prompt: the server answered with the id ${id} of another session`);
    session.id = id;
    this.#sessions.set(id, session);
    for (const { received, chars } of this.#early.take(id)) void this.receive(received, chars);
  }
}

/** True for a session itself and for its subagents, at any depth. */
function descends(session: ClientSession, from: ClientSession): boolean {
  return session === from || (session.parent !== undefined && descends(session.parent, from));
}
