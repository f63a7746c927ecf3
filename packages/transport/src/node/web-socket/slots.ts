import type { WebSocket } from "ws";
import { parseMessage } from "../../shared/json.js";

/** The connections that a server may have. Those that did not open yet make room for others, the oldest one first. */
export class WebSocketSlots {
  readonly #clients = new Set<WebSocket>();
  readonly #max: number;
  readonly #opens: ((message: unknown) => boolean) | undefined;
  readonly #unopened = new Set<WebSocket>();

  /** `opens` judges the first message of a connection. Without it, every connection keeps its slot. */
  constructor(max: number, opens: ((message: unknown) => boolean) | undefined) {
    this.#max = max;
    this.#opens = opens;
  }

  /** True when there can be room for one more beside those that are `waiting` to be admitted. */
  hasRoom(waiting: number): boolean {
    return this.#clients.size - this.#unopened.size + waiting < this.#max;
  }

  /** Ends a connection if there is no room. Returns false when all keep their slots. */
  makeRoom(): boolean {
    if (this.#clients.size < this.#max) return true;
    const [oldest] = this.#unopened;
    if (oldest === undefined) return false;
    this.#unopened.delete(oldest);
    oldest.terminate();
    return true;
  }

  /** Counts a connection until it closes. */
  count(socket: WebSocket): void {
    this.#clients.add(socket);
    socket.once("close", () => this.#clients.delete(socket));
  }

  /** Ends every connection. */
  terminate(): void {
    for (const client of this.#clients) client.terminate();
  }

  /** Takes a connection, before anything else reads its messages. */
  add(socket: WebSocket): void {
    const opens = this.#opens;
    if (opens === undefined) return;
    this.#unopened.add(socket);
    socket.once("close", () => this.#unopened.delete(socket));
    socket.once("message", (data) => {
      if (opens(parseMessage(String(data)))) this.#unopened.delete(socket);
    });
  }
}
