import type { HelixZedParams } from "@editwire/helix-zed-schema";
import type { AgentTurn } from "./turn.js";

/** Ended turns whose answers can be sent again to a host that lost them. Of earlier ones only the request is known. */
const maxEnded = 100;
/** Characters of those answers in all; the last one is kept, however long it is. */
const maxLength = 16 * 1024 * 1024;
/** Requests that are known. */
const maxRequests = 10_000;

/** All turns by their requests: a request is answered once, however often it comes. */
export class AgentTurns {
  readonly #turns = new Map<string, AgentTurn>();
  readonly #ended: AgentTurn[] = [];
  /** The beginnings of the messages, by request id: an id that comes again with another message is another request. */
  readonly #requests = new Map<string, string>();
  #length = 0;

  find(requestId: string): AgentTurn | undefined {
    return this.#turns.get(requestId);
  }

  /** The turn of this very request. */
  same({ request_id, message }: HelixZedParams<"chat_message">): AgentTurn | undefined {
    const turn = this.find(request_id);
    return turn?.promptText === message ? turn : undefined;
  }

  /** True for a request that was answered so long ago that its answer is not kept. */
  isForgotten({ request_id, message }: HelixZedParams<"chat_message">): boolean {
    return this.#requests.get(request_id) === beginningOf(message) && !this.#turns.has(request_id);
  }

  add(turn: AgentTurn): void {
    this.#turns.set(turn.requestId, turn);
    this.#requests.set(turn.requestId, beginningOf(turn.promptText));
    if (this.#requests.size > maxRequests) for (const id of this.#requests.keys()) if (this.#forgetRequest(id)) break;
  }

  /** Notes that a turn ended. The oldest ended ones are forgotten, first those whose end a host got. */
  ended(turn: AgentTurn): void {
    this.#ended.push(turn);
    this.#length += turn.length;
    while (this.#ended.length > maxEnded || (this.#length > maxLength && this.#ended.length > 1)) this.#forgetOldest();
  }

  /** The turns that a new connection has to get: running ones, and ended ones whose end no connection got. */
  *unsent(): Generator<AgentTurn> {
    for (const turn of this.#turns.values()) if (turn.end === undefined || turn.endedOn === undefined) yield turn;
  }

  #forgetOldest(): void {
    const place = this.#ended.findIndex(({ endedOn }) => endedOn !== undefined);
    for (const turn of this.#ended.splice(Math.max(0, place), 1)) {
      if (this.find(turn.requestId) === turn) this.#turns.delete(turn.requestId);
      this.#length -= turn.length;
    }
  }

  #forgetRequest(id: string): boolean {
    if (this.#turns.has(id)) return false;
    return this.#requests.delete(id);
  }
}

function beginningOf(message: string): string {
  return `${message.length} ${message.slice(0, 64)}`;
}
