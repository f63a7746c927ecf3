import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { WebSocket, WebSocketServer } from "ws";

/** A tagged message of either side, parsed. */
export interface Frame {
  readonly type?: string;
  readonly session_id?: string;
  readonly event_type?: string;
  readonly data: Record<string, unknown>;
  readonly [key: string]: unknown;
}

/** One end of a socket of `ws`, without any code of this project. */
export class RawSocket {
  readonly frames: Frame[] = [];
  readonly socket: WebSocket;
  /** The code of the close. */
  readonly closed: Promise<number>;
  pings = 0;
  #waiting: (() => void)[] = [];
  #read = 0;

  constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.on("close", resolve));
    socket.on("message", (data: Buffer) => {
      this.frames.push(JSON.parse(data.toString()) as Frame);
      this.#wake();
    });
    socket.on("ping", () => void (this.pings += 1));
    socket.on("error", () => {});
    socket.on("close", () => this.#wake());
  }

  send(message: unknown): void {
    this.socket.send(typeof message === "string" || Buffer.isBuffer(message) ? message : JSON.stringify(message));
  }

  /** The next frame, behind those that were asked for before, of this name or any. */
  async next(name?: string): Promise<Frame> {
    for (;;) {
      while (this.#read < this.frames.length) {
        const frame = this.frames[this.#read++];
        if (frame !== undefined && (name === undefined || nameOf(frame) === name)) return frame;
      }
      if (this.socket.readyState >= WebSocket.CLOSING)
        throw new Error(`closed before ${name ?? "a frame"}; there were ${this.frames.map(nameOf).join(", ")}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Resolves once everything that the other end sent before it has come here: a ping goes there and back behind it. */
  async settled(): Promise<void> {
    this.socket.ping();
    await once(this.socket, "pong");
  }

  /** The frames of one name so far. */
  all(name: string): Frame[] {
    return this.frames.filter((frame) => nameOf(frame) === name);
  }

  /** Ends the connection without a close. */
  kill(): void {
    this.socket.terminate();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** The tag of a message. */
export function nameOf({ type, event_type }: Frame): string {
  return event_type ?? type ?? "";
}

/** A listener on the raw wire, at any path. */
export class RawListener {
  readonly url: string;
  readonly requests: IncomingMessage[] = [];
  readonly #sockets: RawSocket[] = [];
  readonly #accepted: ((socket: RawSocket) => void)[] = [];

  constructor(port: number, server: WebSocketServer) {
    this.url = `ws://127.0.0.1:${port}`;
    server.on("connection", (socket, request) => {
      this.requests.push(request);
      const raw = new RawSocket(socket);
      const waiting = this.#accepted.shift();
      if (waiting === undefined) this.#sockets.push(raw);
      else waiting(raw);
    });
  }

  static async start(port = 0): Promise<RawListener> {
    const http = createServer();
    const server = new WebSocketServer({ server: http });
    http.listen(port, "127.0.0.1");
    await once(http, "listening");
    onTestFinished(() => {
      for (const client of server.clients) client.terminate();
      http.close();
    });
    return new RawListener((http.address() as AddressInfo).port, server);
  }

  /** The next connection. */
  accept(): Promise<RawSocket> {
    const socket = this.#sockets.shift();
    return socket === undefined ? new Promise((resolve) => this.#accepted.push(resolve)) : Promise.resolve(socket);
  }
}

/** Dials on the raw wire. The status of a refusal is in the error's message. */
export async function dialRaw(url: string, headers: Record<string, string> = {}): Promise<RawSocket> {
  const socket = new WebSocket(url, { headers });
  const raw = new RawSocket(socket);
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  return raw;
}

/** A promise that the test settles. */
export function deferred<T = void>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
