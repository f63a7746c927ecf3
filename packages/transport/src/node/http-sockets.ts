import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ListenerReports } from "../listening/reports.js";

/** The requests of one connection. */
interface Progress {
  /** The request that is not answered yet. */
  request: IncomingMessage | undefined;
  /** The bytes that the connection had read when its last answer ended. */
  readBytes: number;
  /** When it connected, began its request, or got its last answer: in milliseconds of a steady clock. */
  since: number;
}

const full = "503 Service Unavailable";
/** Milliseconds in which many requests may arrive at once. After them, one that is incomplete counts. */
const graceMs = 1_000;
/** Incomplete requests that even a small listener has room for. */
const fewest = 16;

/**
 * The connections of an HTTP listener. Half of them is kept for complete requests, and an address may have an eighth
 * with requests that have been incomplete for a second. A new connection ends those beyond that, the oldest ones first.
 */
export class HttpSockets {
  readonly #max: number;
  readonly #maxIncomplete: number;
  readonly #maxPerAddress: number;
  readonly #reports: ListenerReports;
  /** The open connections, the oldest one first. Those that were upgraded have no requests any more. */
  readonly #open = new Map<Socket, Progress | undefined>();

  constructor(server: Server, max: number, reports: ListenerReports) {
    this.#max = max;
    this.#maxIncomplete = Math.max(fewest, Math.ceil(max / 2));
    this.#maxPerAddress = Math.max(fewest, Math.ceil(max / 8));
    this.#reports = reports;
    server.on("connection", (socket: Socket) => this.#admit(socket));
    server.prependListener("request", (request, response) => this.#begin(request, response));
  }

  /** A connection has become something else, such as a WebSocket. It counts, and its owner decides about its end. */
  upgraded(socket: Socket): void {
    if (this.#open.has(socket)) this.#open.set(socket, undefined);
  }

  #admit(socket: Socket): void {
    const now = performance.now();
    this.#open.set(socket, { request: undefined, readBytes: -1, since: now });
    socket.once("close", () => this.#open.delete(socket));
    if (this.#open.size <= Math.min(this.#max, this.#maxPerAddress)) return;
    const incomplete = [...this.#open.keys()].filter((other) => this.#isIncomplete(other));
    const slow = incomplete.filter((other) => now - (this.#open.get(other)?.since ?? now) > graceMs);
    const ofAddress = slow.filter(({ remoteAddress }) => remoteAddress === socket.remoteAddress);
    for (let excess = ofAddress.length - this.#maxPerAddress; excess > 0; excess -= 1)
      this.#drop(ofAddress.shift(), "incomplete requests of one address");
    const left = slow.filter((other) => this.#open.has(other));
    if (left.length > this.#maxIncomplete) this.#drop(ofBusiest(left), "incomplete requests");
    if (this.#open.size <= this.#max) return;
    const others = incomplete.filter((other) => other !== socket && this.#open.has(other));
    this.#drop(ofBusiest(others) ?? this.#idle ?? socket, "connections (maxConnections)");
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const progress = this.#open.get(request.socket);
    if (progress === undefined) return;
    progress.request = request;
    progress.since = performance.now();
    response.once("close", () => {
      if (progress.request !== request) return;
      progress.request = undefined;
      progress.readBytes = request.socket.bytesRead;
      progress.since = performance.now();
    });
  }

  /** True while a request of the connection has begun, or is yet to begin, and has not arrived as a whole. */
  #isIncomplete(socket: Socket): boolean {
    const progress = this.#open.get(socket);
    if (progress === undefined) return false;
    const { request, readBytes } = progress;
    if (request === undefined) return socket.bytesRead !== readBytes;
    // Where the buffer is full, this side is the slow one.
    return !request.complete && request.readableLength < request.readableHighWaterMark;
  }

  /** The oldest connection that waits for its next request. */
  get #idle(): Socket | undefined {
    for (const [socket, progress] of this.#open)
      if (progress !== undefined && progress.request === undefined && !this.#isIncomplete(socket)) return socket;
    return undefined;
  }

  #drop(socket: Socket | undefined, what: string): void {
    if (socket === undefined) return;
    this.#reports.add("listener.full", `a connection was dropped: too many ${what}`, socket.remoteAddress);
    const isAsking = this.#open.get(socket)?.request !== undefined;
    this.#open.delete(socket);
    if (isAsking) socket.destroy();
    else refuseSocket(socket, full);
  }
}

/** The oldest connection of the address that has most of them. */
function ofBusiest(sockets: readonly Socket[]): Socket | undefined {
  const counts = new Map<string | undefined, number>();
  for (const { remoteAddress } of sockets) counts.set(remoteAddress, (counts.get(remoteAddress) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return sockets.find(({ remoteAddress }) => counts.get(remoteAddress) === most);
}

/** Answers a request on a bare connection with a status such as `404 Not Found`, and closes the connection. */
export function refuseSocket(socket: Duplex, status: string): void {
  socket.on("error", () => socket.destroy()); // the caller may be gone already
  socket.once("finish", () => socket.destroy()); // a caller that keeps its end open must not keep this one
  const later = status.startsWith("503") ? "Retry-After: 1\r\n" : "";
  socket.end(`HTTP/1.1 ${status}\r\n${later}Connection: close\r\nContent-Length: 0\r\n\r\n`);
}
