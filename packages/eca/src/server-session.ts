import type { ChatContent, ChatRole, UsageContent } from "@editwire/eca-schema";
import type { ServerTurn } from "./server-turn.js";
import { ChatRecord } from "./server-record.js";

/** A chat as a server's handlers see it. */
export interface EcaServerSession {
  readonly id: string;
  /** What the user, or the server by a content `metadata`, calls it. */
  readonly title: string | undefined;
  /** Whatever the server wants to keep with the chat; gone with `chat/delete`. */
  readonly state: Map<string, unknown>;
}

/** What one answer of a model took. */
export interface EcaUsage {
  /** Tokens sent, all context included. */
  inputTokens: number;
  /** Tokens received. */
  outputTokens: number;
  /** In dollars; absent where the price is not known. */
  cost?: number | undefined;
}

/** An `EcaServerSession` with the side that the connection drives. */
export class ServerSession implements EcaServerSession {
  readonly id: string;
  /** The server made the id, so a client may not know it yet. */
  readonly minted: boolean;
  readonly state = new Map<string, unknown>();
  readonly record = new ChatRecord();
  title: string | undefined;
  /** Every tool call of it is approved. */
  trust = false;
  /** What the user chose for this chat alone. */
  choice: { model?: string | undefined; behavior?: string | undefined } = {};
  /** The model of its last turn. */
  model: string | undefined;
  readonly createdAt = Date.now();
  updatedAt = this.createdAt;
  /** The running turn. */
  turn: ServerTurn | undefined;
  /** The client deleted it; a prompt for its id starts another. */
  deleted = false;
  readonly #ids = new Set<string>();
  #tokens = 0;
  #cost: number | undefined;

  constructor(id: string, minted: boolean) {
    this.id = id;
    this.minted = minted;
  }

  /** An id for a tool call or a thought: the wanted one, unless the chat has had it. */
  takeId(wanted?: string): string {
    const id = wanted === undefined || wanted === "" || this.#ids.has(wanted) ? crypto.randomUUID() : wanted;
    this.#ids.add(id);
    return id;
  }

  /** Keeps what the client is sent for this chat. */
  keep(role: ChatRole, content: ChatContent): void {
    if (content.type === "metadata") this.title = content.title ?? this.title;
    this.updatedAt = Date.now();
    this.record.add(role, content);
  }

  /** Adds an answer to the chat's totals. `message` is what the turn took so far, this answer included. */
  count({ inputTokens, outputTokens, cost }: EcaUsage, message: EcaUsage): UsageContent {
    this.#tokens += inputTokens + outputTokens;
    if (cost !== undefined) this.#cost = (this.#cost ?? 0) + cost;
    return {
      type: "usage",
      messageInputTokens: message.inputTokens,
      messageOutputTokens: message.outputTokens,
      sessionTokens: this.#tokens,
      ...(message.cost === undefined
        ? {}
        : { messageCost: dollars(message.cost), lastMessageCost: dollars(message.cost) }),
      ...(this.#cost === undefined ? {} : { sessionCost: dollars(this.#cost) }),
    };
  }
}

/** Two digits, and four for what would be less than a cent. */
function dollars(cost: number): string {
  return cost === 0 || cost >= 0.01 ? cost.toFixed(2) : cost.toFixed(4);
}
