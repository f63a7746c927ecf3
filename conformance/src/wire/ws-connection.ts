import { type RawData, WebSocket } from "ws";
import type { Trace } from "../trace/trace.js";
import type { Ended } from "./link.js";

/** The sockets of one link: one at a time, and each recorded in the trace. */
export class WsConnection {
  /** Settles when the last socket is closed. */
  readonly ended: Promise<Ended>;
  readonly #trace: Trace;
  /** Sockets that the case dropped or left. Their end does not end the connection. */
  readonly #left = new Set<WebSocket>();
  #socket: WebSocket;
  #answersPings = true;
  #end: (ended: Ended) => void = () => {};

  constructor(first: WebSocket, trace: Trace) {
    this.#trace = trace;
    this.#socket = first;
    this.ended = new Promise((resolve) => (this.#end = resolve));
    this.#listenTo(first);
  }

  /** The socket that the suite sends on. */
  get socket(): WebSocket {
    return this.#socket;
  }

  /** Records and sends bytes. Does nothing more than record them when the socket is not open. */
  write(data: string | Uint8Array, options: { readonly fin?: boolean; readonly binary: boolean }): void {
    this.#trace.add({ kind: "bytes", from: "suite", bytes: Buffer.from(data) });
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(data, options);
  }

  ignorePings(): void {
    this.#answersPings = false;
  }

  /** Continues over the next socket. The old one is dropped without a closing handshake, or stays open. */
  async reconnect(old: "drop" | "keep", next: WsReconnect["next"]): Promise<void> {
    const before = this.#socket;
    this.#left.add(before);
    if (old === "drop") {
      this.#trace.add({ kind: "event", from: "suite", name: "dropped" });
      const closed = new Promise((resolve) => before.once("close", resolve));
      before.terminate();
      await closed;
    }
    await next((coming) => {
      // Until the new socket is open, the suite sends on the old one.
      const take = (): void => {
        this.#socket = coming;
        if (old === "keep") this.#trace.add({ kind: "event", from: "suite", name: "reconnecting" });
      };
      if (coming.readyState === WebSocket.OPEN) take();
      else coming.once("open", take);
      this.#listenTo(coming);
    });
  }

  /** Closes every socket, and destroys one that does not close within `graceMs`. */
  async close(graceMs: number): Promise<void> {
    const socket = this.#socket;
    if (socket.readyState === WebSocket.OPEN) socket.close(1000);
    for (const one of this.#left) one.terminate();
    const killer = setTimeout(() => this.#socket.terminate(), graceMs);
    if (socket.readyState === WebSocket.CONNECTING) socket.terminate();
    // No socket followed the one that was dropped, so the connection is over.
    if (this.#left.has(socket)) this.#end({ reason: "the connection was dropped, and no other came" });
    await this.ended;
    clearTimeout(killer);
  }

  #listenTo(socket: WebSocket): void {
    const trace = this.#trace;
    socket.once("close", (code, reason) => {
      trace.add({ kind: "event", from: "target", name: "close", data: { code, reason: reason.toString("utf8") } });
      if (!this.#left.has(socket)) this.#end({ reason: `the connection was closed with code ${code}`, code });
    });
    // The close event reports a broken connection.
    socket.on("error", () => {});
    socket.on("ping", (data) => {
      trace.add({ kind: "event", from: "target", name: "ping" });
      if (this.#answersPings) socket.pong(data);
    });
    socket.on("pong", (bytes) => {
      const data = bytes.length === 0 ? {} : { data: bytes.toString("utf8") };
      trace.add({ kind: "event", from: "target", name: "pong", ...data });
    });
    socket.on("message", (data: RawData, isBinary: boolean) => {
      const bytes = bytesOf(data);
      trace.add({ kind: "bytes", from: "target", bytes });
      // A message on a socket that was replaced does not belong to this link.
      const isOld = socket !== this.#socket && this.#socket.readyState === WebSocket.OPEN;
      if (!isOld) return recordMessage(trace, bytes, isBinary);
      trace.add({
        kind: "event",
        from: "target",
        name: "message-on-the-old-connection",
        data: bytes.toString("utf8"),
      });
    });
  }
}

function recordMessage(trace: Trace, bytes: Buffer, isBinary: boolean): void {
  const text = bytes.toString("utf8");
  const malformed = (problem: string): void =>
    void trace.add({ kind: "malformed", from: "target", problem, excerpt: text.slice(0, 400) });
  if (isBinary) return malformed("a binary message");
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return malformed("not a JSON message (WebSocket text)");
  }
  trace.add({ kind: "message", from: "target", message, frame: { framing: "ws", size: bytes.length } });
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}

/** How a link continues when a case drops its connection. */
export interface WsReconnect {
  /** Makes or awaits the next connection. It must call `adopt` before the connection can lose a message. */
  next(adopt: (socket: WebSocket) => void): Promise<void>;
}
