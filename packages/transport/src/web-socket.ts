import { WireError } from "@editwire/core/errors";
import { Gate } from "./gate.js";
import { closedHere, closedThere, overloaded, sendAfterClose } from "./reasons.js";
import { startTimer } from "./timers.js";
import { parseMessage } from "./json.js";
import type { Transport, TransportEvents } from "./transport.js";

/** The part of a browser's `WebSocket` that a transport uses; the sockets of `ws` have it too. */
export interface WebSocketLike {
  readonly readyState: number;
  readonly bufferedAmount: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "open" | "error", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { code: number }) => void): void;
}

/** What only some WebSockets can do. */
export interface WebSocketPowers {
  /** Stops and resumes reading. Without it messages queue while a listener is busy. */
  readonly flow?: { pause(): void; resume(): void } | undefined;
  /** Runs `action` once there is room to send more. Default: asks again every few milliseconds. */
  readonly onRoom?: ((action: () => void) => void) | undefined;
  /** Runs before the first send of a tick: what follows leaves as one write. */
  readonly cork?: (() => void) | undefined;
  /** Ends the connection without a handshake. */
  readonly terminate?: (() => void) | undefined;
}

/** How much a WebSocket transport may hold, and how long its end may take. */
export interface WebSocketOptions {
  /** Bytes that may wait for a slow peer; a `send` that finds more throws `overloaded`. Default 64 MiB. */
  maxQueuedBytes?: number | undefined;
  /** Messages that may wait for a busy listener where the socket cannot be paused; one more closes with `overloaded`. Default 10,000. */
  maxQueuedMessages?: number | undefined;
  /** Read binary frames as the UTF-8 text that they hold. Default false: a binary frame is no message. */
  readBinary?: boolean | undefined;
  /** Milliseconds that the peer gets to answer a close. Default 2,000. */
  closeTimeoutMs?: number | undefined;
}

/** Bytes in the socket above which a sender is asked to wait. */
const highWaterMark = 64 * 1024;
const pollMs = 5;
const open = 1;

/** Moves messages over a WebSocket, each as one text frame. The socket may still be connecting: what is sent before waits for it. */
export function webSocketTransport(socket: WebSocketLike, options: WebSocketOptions = {}, powers: WebSocketPowers = {}): Transport {
  const { maxQueuedBytes = 64 * 1024 * 1024, maxQueuedMessages = 10_000, readBinary = false, closeTimeoutMs = 2_000 } = options;
  const room = new Gate();
  const gone = new Gate();
  const inbox: unknown[] = [];
  const early: string[] = [];
  let earlyBytes = 0;
  let events: TransportEvents | undefined;
  let waiting = true;
  let reason: WireError | undefined;
  let why: (() => WireError) | undefined;
  let told = false;
  let watchingRoom = false;
  let stopClosing = (): void => {};

  const deliver = (): void => {
    while (!waiting && inbox.length > 0) {
      const settled = take(inbox.shift());
      if (settled === undefined) continue;
      waiting = true;
      powers.flow?.pause();
      settled.then(proceed, proceed);
    }
    if (reason !== undefined && !told && events !== undefined && (why !== undefined || !waiting)) {
      told = true;
      events.closed(reason);
    }
  };

  const take = (data: unknown): void | Promise<void> => {
    const text = readBinary ? textOf(data) : data;
    const value = typeof text === "string" ? parseMessage(text) : new WireError("framing", "a binary frame is no message");
    if (value instanceof WireError) events?.malformed(value);
    else return events?.message(value);
  };

  const proceed = (): void => {
    waiting = false;
    powers.flow?.resume();
    deliver();
  };

  const shut = (becauseOf: () => WireError): void => {
    if (why !== undefined) return;
    why = becauseOf;
    inbox.length = 0;
    powers.flow?.resume(); // the answer to a close comes behind what was not read
    stopClosing = startTimer(closeTimeoutMs, () => finish(1006));
    socket.close(1000);
  };

  const finish = (code: number): void => {
    if (reason !== undefined) return;
    stopClosing();
    powers.terminate?.();
    reason = (why ?? (() => reasonOf(code)))();
    room.open();
    gone.open();
    deliver();
  };

  const watchRoom = (): void => {
    if (watchingRoom) return;
    watchingRoom = true;
    const look = (): void => {
      watchingRoom = false;
      if (reason !== undefined || socket.bufferedAmount + earlyBytes <= highWaterMark) room.open();
      else watchRoom();
    };
    if (powers.onRoom === undefined) startTimer(pollMs, look);
    else powers.onRoom(look);
  };

  socket.addEventListener("open", () => {
    for (const json of early.splice(0)) socket.send(json);
    earlyBytes = 0;
    watchRoom();
  });
  socket.addEventListener("message", ({ data }) => {
    if (why !== undefined) return;
    inbox.push(data);
    if (inbox.length > maxQueuedMessages) shut(() => new WireError("overloaded", `more than ${maxQueuedMessages} messages wait for their handlers`));
    else deliver();
  });
  socket.addEventListener("error", () => {}); // the close that follows says more
  socket.addEventListener("close", ({ code }) => finish(code));

  return {
    start(listener) {
      events = listener;
      queueMicrotask(proceed);
    },
    send(json) {
      if (why !== undefined || reason !== undefined) throw sendAfterClose();
      const queued = socket.bufferedAmount + earlyBytes;
      if (queued > maxQueuedBytes) throw overloaded(queued, maxQueuedBytes);
      powers.cork?.();
      if (socket.readyState === open) socket.send(json);
      else if (early.push(json)) earlyBytes += json.length;
      if (socket.bufferedAmount + earlyBytes <= highWaterMark) return;
      watchRoom();
      return room.wait();
    },
    close() {
      if (reason !== undefined) return Promise.resolve();
      const done = gone.wait();
      shut(closedHere);
      return done;
    },
  };
}

/** The text of a frame; what is no UTF-8 stays as it is. */
function textOf(data: unknown): unknown {
  if (!(data instanceof ArrayBuffer || ArrayBuffer.isView(data))) return data;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch {
    return data;
  }
}

/** What the other end's close code means (RFC 6455, 7.4.1). */
function reasonOf(code: number): WireError {
  if (code === 1009) return new WireError("too_large", "the connection was closed: a message was larger than allowed");
  if (code === 1000 || code === 1001 || code === 1005) return closedThere();
  return closedThere(new Error(code === 1006 ? "without a close" : `with the code ${code}`));
}
