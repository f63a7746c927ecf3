import type { AgentTurn } from "./agent-turn.js";

/** Ended turns whose answers can be repeated to a host that lost them; one beyond is known by its id only. */
const maxEnded = 100;
/** Characters of those answers in all; the last one is kept, however long it is. */
const maxLength = 16 * 1024 * 1024;
/** Ids that are known. */
const maxIds = 10_000;

/** Every turn by its request id: a request is answered once, however often it comes. */
export class AgentTurns {
  readonly #turns = new Map<string, AgentTurn>();
  readonly #ended: AgentTurn[] = [];
  readonly #ids = new Set<string>();
  #length = 0;

  find(requestId: string): AgentTurn | undefined {
    return this.#turns.get(requestId);
  }

  /** True for a request that was answered so long ago that only its id is left. */
  isForgotten(requestId: string): boolean {
    return this.#ids.has(requestId) && !this.#turns.has(requestId);
  }

  add(turn: AgentTurn): void {
    this.#turns.set(turn.requestId, turn);
    this.#ids.add(turn.requestId);
    if (this.#ids.size > maxIds) for (const id of this.#ids) if (this.#forgetId(id)) break;
  }

  /**
   * Notes that a turn ended; the oldest ended ones are forgotten, first those of whose end a host has heard. One that the host
   * could not be told of never was: it may come again.
   */
  ended(turn: AgentTurn): void {
    if (turn.endedInSilence) {
      this.#turns.delete(turn.requestId);
      this.#ids.delete(turn.requestId);
      return;
    }
    this.#ended.push(turn);
    this.#length += turn.length;
    while (this.#ended.length > maxEnded || (this.#length > maxLength && this.#ended.length > 1)) this.#forgetOldest();
  }

  /** The turns of which a new connection has to hear: running ones, and ended ones whose end nobody heard. */
  *unheard(): Generator<AgentTurn> {
    for (const turn of this.#turns.values()) if (turn.end === undefined || turn.endedOn === undefined) yield turn;
  }

  #forgetOldest(): void {
    const place = Math.max(
      0,
      this.#ended.findIndex(({ endedOn }) => endedOn !== undefined),
    );
    for (const turn of this.#ended.splice(place, 1)) {
      this.#turns.delete(turn.requestId);
      this.#length -= turn.length;
    }
  }

  #forgetId(id: string): boolean {
    if (this.#turns.has(id)) return false;
    this.#ids.delete(id);
    return true;
  }
}
