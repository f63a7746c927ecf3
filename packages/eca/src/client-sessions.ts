import type { ChatContentReceivedParams, ChatPromptResult } from "@editwire/eca-schema";
import type { Diagnostic } from "@editwire/core";
import type { ClientSession } from "./client-session.js";

/** Contents kept for a chat whose id the server has not told yet; more are dropped and reported. */
const maxEarly = 10_000;

/** Brings what is received to its chat, and keeps what is there before the chat has a name. */
export class ClientSessions {
  readonly #chats = new Map<string, ClientSession>();
  /** The chats whose prompts are not answered. */
  readonly #asking = new Set<ClientSession>();
  readonly #early = new Map<string, ChatContentReceivedParams[]>();
  #earlyCount = 0;
  readonly #onDiagnostic: (diagnostic: Diagnostic) => void;

  constructor(onDiagnostic: (diagnostic: Diagnostic) => void) {
    this.#onDiagnostic = onDiagnostic;
  }

  get(id: string): ClientSession | undefined {
    return this.#chats.get(id);
  }

  /** Every chat that something can be received for. */
  all(): Set<ClientSession> {
    return new Set([...this.#chats.values(), ...this.#asking]);
  }

  add(chat: ClientSession): void {
    if (chat.id !== undefined) this.#chats.set(chat.id, chat);
  }

  delete(id: string): void {
    this.#chats.delete(id);
  }

  /** Takes a content. */
  receive(received: ChatContentReceivedParams): void | Promise<void> {
    const chat = this.#chats.get(received.chatId) ?? this.#byRequest(received);
    if (chat !== undefined) return chat.receive(received);
    if (this.#asking.size === 0 || this.#earlyCount >= maxEarly) return this.#dropped(received.chatId);
    this.#earlyCount += 1;
    const early = this.#early.get(received.chatId);
    if (early === undefined) this.#early.set(received.chatId, [received]);
    else early.push(received);
  }

  /** Runs what asks the server for a turn, and gives the chat its name and what came for it before that. */
  async ask(chat: ClientSession, prompt: () => Promise<ChatPromptResult>): Promise<ChatPromptResult> {
    this.add(chat);
    this.#asking.add(chat);
    try {
      const result = await prompt();
      this.#name(chat, result.chatId);
      return result;
    } finally {
      this.#asking.delete(chat);
      if (this.#asking.size === 0) this.#dropEarly();
    }
  }

  /** A server that repeats the id of the prompt tells at once whose chat it is. */
  #byRequest({ chatId, requestId }: ChatContentReceivedParams): ClientSession | undefined {
    if (requestId === undefined) return undefined;
    const chat = [...this.#asking].find((candidate) => candidate.requestId === String(requestId));
    if (chat !== undefined) this.#name(chat, chatId);
    return chat;
  }

  #name(chat: ClientSession, id: string): void {
    chat.id = id;
    this.#chats.set(id, chat);
    const early = this.#early.get(id) ?? [];
    this.#early.delete(id);
    this.#earlyCount -= early.length;
    for (const received of early) void chat.receive(received);
  }

  #dropEarly(): void {
    for (const id of this.#early.keys()) this.#dropped(id);
    this.#early.clear();
    this.#earlyCount = 0;
  }

  #dropped(id: string): void {
    this.#onDiagnostic({
      id: "unknown-chat",
      method: "chat/contentReceived",
      message: `Content for the unknown chat ${id} was dropped`,
    });
  }
}
