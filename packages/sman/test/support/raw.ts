import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { WebSocket, WebSocketServer } from "ws";

/** A message of either side, parsed. */
export interface Frame {
  readonly type?: string;
  readonly data: Record<string, unknown>;
  readonly [key: string]: unknown;
}

/** One end of a socket of `ws`, without any code of this project. */
export class RawSocket {
  readonly frames: Frame[] = [];
  readonly socket: WebSocket;
  /** The code of the close. */
  readonly closed: Promise<number>;
  #arrived: (() => void)[] = [];
  #read = 0;

  constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.on("close", resolve));
    socket.on("message", (data: Buffer) => {
      this.frames.push(JSON.parse(data.toString()) as Frame);
      this.#wake();
    });
    socket.on("error", () => {});
    socket.on("close", () => this.#wake());
  }

  send(message: unknown): void {
    this.socket.send(typeof message === "string" || Buffer.isBuffer(message) ? message : JSON.stringify(message));
  }

  /** The next message, behind those that were asked for before, of this type or any. */
  async next(type?: string): Promise<Frame> {
    for (;;) {
      while (this.#read < this.frames.length) {
        const frame = this.frames[this.#read++];
        if (frame !== undefined && (type === undefined || frame.type === type)) return frame;
      }
      if (this.socket.readyState >= WebSocket.CLOSING) throw new Error(`closed before ${type ?? "a message"}`);
      await new Promise<void>((resolve) => this.#arrived.push(resolve));
    }
  }

  /** The messages of one type so far. */
  all(type: string): Frame[] {
    return this.frames.filter((frame) => frame.type === type);
  }

  /** Resolves after everything that the other end sent before: a ping goes there, and its pong comes behind it. */
  async settled(): Promise<void> {
    this.socket.ping();
    await once(this.socket, "pong");
  }

  /** Ends the connection without a close. */
  kill(): void {
    this.socket.terminate();
  }

  #wake(): void {
    for (const resolve of this.#arrived.splice(0)) resolve();
  }
}

/** A backend on the raw wire, at any path. */
export class RawBackend {
  readonly url: string;
  readonly requests: IncomingMessage[] = [];
  readonly #sockets: RawSocket[] = [];
  readonly #waiting: ((socket: RawSocket) => void)[] = [];

  constructor(port: number, server: WebSocketServer) {
    this.url = `ws://127.0.0.1:${port}`;
    server.on("connection", (socket, request) => {
      this.requests.push(request);
      const raw = new RawSocket(socket);
      const waiting = this.#waiting.shift();
      if (waiting === undefined) this.#sockets.push(raw);
      else waiting(raw);
    });
  }

  static async start(): Promise<RawBackend> {
    const http = createServer();
    const server = new WebSocketServer({ server: http });
    http.listen(0, "127.0.0.1");
    await once(http, "listening");
    onTestFinished(() => {
      for (const client of server.clients) client.terminate();
      http.close();
    });
    return new RawBackend((http.address() as AddressInfo).port, server);
  }

  /** The next connection. */
  accept(): Promise<RawSocket> {
    const socket = this.#sockets.shift();
    return socket === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(socket);
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
