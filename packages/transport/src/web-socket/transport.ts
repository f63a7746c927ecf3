import { isWireError, WireError } from "@editwire/core/errors";
import { Gate } from "@editwire/core/gate";
import { closedHere, closedThere, overloaded, sendAfterClose } from "../shared/reasons.js";
import { startTimer } from "@editwire/core/timers";
import { deliverBroken, parseMessage } from "../shared/json.js";
import type { HeldTransport } from "../listening/queue-total.js";
import type { Transport, TransportEvents } from "../transport.js";

/** The part of a browser's `WebSocket` that a transport uses; the sockets of `ws` have it too. */
export interface WebSocketLike {
  readonly readyState: number;
  readonly bufferedAmount: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "open" | "error", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { code: number; reason?: string }) => void): void;
}

/** Operations that only some WebSockets have. */
export interface WebSocketPowers {
  /** Calls `listener` for each message, without an event object: texts as strings, binary frames as bytes. */
  onMessage?(listener: (data: unknown) => void): void;
  /** Stops reading. Without it messages queue while a listener is busy. */
  pause?(): void;
  /** Reads on. */
  resume?(): void;
  /** Runs `action` once there is room to send more. Default: asks again every few milliseconds. */
  onRoom?(action: () => void): void;
  /** Sends in the socket's place; what is sent in one tick may leave as one write. */
  send?(text: string): void;
  /** Ends the connection without a handshake. */
  terminate?(): void;
}

/** How much a WebSocket transport may hold, and how long its end may take. */
export interface WebSocketOptions {
  /** Bytes that may wait for a slow peer; a `send` that finds more throws `overloaded`. Default 64 MiB. */
  maxQueuedBytes?: number | undefined;
  /**
   * Messages that may wait for a busy listener, where the socket cannot be paused. One more closes with `overloaded`.
   * Default 10,000.
   */
  maxQueuedMessages?: number | undefined;
  /**
   * Read binary frames as the UTF-8 text that they hold. `if-first`: only on a connection whose first frame is binary;
   * on any other, they are `malformed`, and not answered. Default false: a binary frame is `malformed`.
   */
  readBinary?: boolean | "if-first" | undefined;
  /** Milliseconds that the peer has to answer a close. Default 2,000. */
  closeTimeoutMs?: number | undefined;
}

/** Bytes in the socket above which a sender must wait. */
const highWaterMark = 512 * 1024;
const pollMs = 5;
const open = 1;

/** The registered close code "Try Again Later", and what stands for it in pages, which may not send it. */
const tryAgainLater = 1013;
const pageOverloaded = 4013;

const noPowers: WebSocketPowers = {};

/**
 * Moves messages over a WebSocket, each as one text frame. The socket may still be connecting: what is sent before
 * waits for it.
 */
export function webSocketTransport(
  socket: WebSocketLike,
  options: WebSocketOptions = {},
  powers: WebSocketPowers = noPowers,
): Transport {
  return heldWebSocketTransport(socket, options, powers);
}

/** As `webSocketTransport`, for a listener that bounds what waits in all of its connections. */
export function heldWebSocketTransport(
  socket: WebSocketLike,
  options: WebSocketOptions,
  powers: WebSocketPowers,
): HeldTransport {
  return new WebSocketTransport(socket, options, powers);
}

/** A class, because closures would cost each of a thousand idle connections more memory. */
class WebSocketTransport implements HeldTransport {
  onSlow: ((length: number) => void) | undefined;
  readonly #socket: WebSocketLike;
  readonly #options: WebSocketOptions;
  readonly #powers: WebSocketPowers;
  readonly #room = new Gate();
  readonly #gone = new Gate();
  /**
   * Messages that arrived while the listener was busy; where the socket can be paused, those that were read already.
   */
  #inbox: unknown[] | undefined;
  #early: string[] | undefined;
  #earlyBytes = 0;
  #events: TransportEvents | undefined;
  #waiting = true;
  /** Whether the first frame was binary. */
  #beganBinary: boolean | undefined;
  #reason: WireError | undefined;
  #why: (() => WireError) | undefined;
  #reported = false;
  #watchingRoom = false;
  #stopClosing: (() => void) | undefined;

  constructor(socket: WebSocketLike, options: WebSocketOptions, powers: WebSocketPowers) {
    this.#socket = socket;
    this.#options = options;
    this.#powers = powers;
    if (socket.readyState !== open) socket.addEventListener("open", () => this.#opened());
    if (powers.onMessage === undefined) socket.addEventListener("message", ({ data }) => this.#received(data));
    else powers.onMessage((data) => this.#received(data));
    socket.addEventListener("error", ignore); // the close event that follows has the code
    socket.addEventListener("close", ({ code, reason }) => this.#finish(code, reason));
  }

  start(listener: TransportEvents): void {
    this.#events = listener;
    queueMicrotask(() => this.#proceed());
  }

  send(json: string): void | Promise<void> {
    if (this.#why !== undefined || this.#reason !== undefined) throw sendAfterClose();
    const { maxQueuedBytes = 64 * 1024 * 1024 } = this.#options;
    const queued = this.queuedBytes;
    if (queued > maxQueuedBytes) throw overloaded(queued, maxQueuedBytes);
    if (this.#socket.readyState === open) this.#write(json);
    else if ((this.#early ??= []).push(json)) this.#earlyBytes += json.length;
    if (this.queuedBytes <= highWaterMark) return;
    this.onSlow?.(json.length);
    this.#watchRoom();
    return this.#room.wait();
  }

  close(): Promise<void> {
    if (this.#reason !== undefined) return Promise.resolve();
    const done = this.#gone.wait();
    this.#shut(closedHere);
    return done;
  }

  get queuedBytes(): number {
    return this.#socket.bufferedAmount + this.#earlyBytes;
  }

  cut(reason: WireError): void {
    this.#shut(() => reason);
    this.#finish(1006); // a peer that does not read would not answer the close
  }

  #write(json: string): void {
    if (this.#powers.send === undefined) this.#socket.send(json);
    else this.#powers.send(json);
  }

  #opened(): void {
    for (const json of this.#early ?? []) this.#write(json);
    this.#early = undefined;
    this.#earlyBytes = 0;
    this.#watchRoom();
  }

  #received(data: unknown): void {
    if (this.#why !== undefined) return;
    if (!this.#waiting && this.#inbox === undefined) return this.#handle(data);
    const { maxQueuedMessages = 10_000 } = this.#options;
    const waiting = (this.#inbox ??= []).push(data);
    if (this.#powers.pause !== undefined) this.#powers.pause();
    else if (waiting > maxQueuedMessages)
      this.#shut(() => new WireError("overloaded", `more than ${maxQueuedMessages} messages wait for their handlers`));
  }

  #deliver(): void {
    while (!this.#waiting && this.#inbox !== undefined) {
      const data = this.#inbox.shift();
      if (this.#inbox.length === 0) this.#inbox = undefined;
      this.#handle(data);
    }
    this.#reportClosed();
  }

  #handle(data: unknown): void {
    const settled = this.#take(data);
    if (settled === undefined) return;
    this.#waiting = true;
    if (this.#why === undefined) this.#powers.pause?.(); // after a close, its answer must still be read
    const proceed = (): void => this.#proceed();
    settled.then(proceed, proceed);
  }

  #take(data: unknown): void | Promise<void> {
    const events = this.#events;
    if (events === undefined) return;
    const { readBinary = false } = this.#options;
    const isBinary = typeof data !== "string";
    this.#beganBinary ??= isBinary;
    const isRead = !isBinary || readBinary === true || (readBinary === "if-first" && this.#beganBinary);
    const text = isRead ? textOf(data) : undefined;
    if (text === undefined) return void events.malformed(...binary(data, readBinary === "if-first"));
    const value = parseMessage(text);
    if (isWireError(value)) return deliverBroken(text, brokenFrame(text, value), events);
    return events.message(value, text.length);
  }

  #proceed(): void {
    this.#waiting = false;
    this.#powers.resume?.();
    this.#deliver();
  }

  #reportClosed(): void {
    if (
      this.#reason === undefined ||
      this.#reported ||
      this.#events === undefined ||
      (this.#why === undefined && this.#waiting)
    )
      return;
    this.#reported = true;
    this.#events.closed(this.#reason);
  }

  #shut(becauseOf: () => WireError): void {
    if (this.#why !== undefined) return;
    this.#why = becauseOf;
    this.#inbox = undefined;
    this.#powers.resume?.(); // the answer to a close arrives after what was not read
    this.#stopClosing = startTimer(this.#options.closeTimeoutMs ?? 2_000, () => this.#finish(1006));
    const isOverloaded = becauseOf().code === "overloaded";
    if (isOverloaded)
      this.#socket.close(this.#powers.pause === undefined ? pageOverloaded : tryAgainLater, "overloaded");
    else this.#socket.close(1000);
  }

  #finish(code: number, reason?: string): void {
    if (this.#reason !== undefined) return;
    this.#stopClosing?.();
    this.#powers.terminate?.();
    this.#reason = this.#why?.() ?? reasonOf(code, reason);
    this.#room.open();
    this.#gone.open();
    this.#deliver();
  }

  #watchRoom(): void {
    if (this.#watchingRoom) return;
    this.#watchingRoom = true;
    const look = (): void => {
      this.#watchingRoom = false;
      if (this.#reason !== undefined || this.queuedBytes <= highWaterMark) this.#room.open();
      else this.#watchRoom();
    };
    if (this.#powers.onRoom === undefined) startTimer(pollMs, look);
    else this.#powers.onRoom(look);
  }
}

const ignore = (): void => {};

/** The text of a frame; `undefined` for data that is not UTF-8. */
function textOf(data: unknown): string | undefined {
  if (typeof data === "string") return data;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(data as ArrayBufferView);
  } catch {
    return undefined;
  }
}

/** The error of a binary frame that is not read, with the message in it. */
function binary(data: unknown, isIgnored: boolean): [WireError, unknown] {
  const text = textOf(data) ?? "";
  const value = parseMessage(text);
  const details = { excerpt: text.slice(0, 200), ...(isIgnored && { found: "binary" }) };
  const error = new WireError("framing", "expected a text frame, received a binary frame", { data: details });
  return [error, isWireError(value) ? undefined : value];
}

/** Says what is wrong with a frame whose text is not JSON. */
function brokenFrame(text: string, error: WireError): WireError {
  const begins = text.trimStart().startsWith("{");
  const ends = text.trimEnd().endsWith("}");
  if (begins === ends) return error;
  const part = begins ? "beginning" : "end";
  const message = `expected a whole message in each text frame, received the ${part} of one (${error.message})`;
  return new WireError("framing", message, { cause: error.cause });
}

/** The reason for the other end's close code (RFC 6455, 7.4.1). A code with a meaning of its own is in `data`. */
function reasonOf(code: number, reason = ""): WireError {
  if (code === 1009) return new WireError("too_large", "the connection was closed: a message was larger than allowed");
  if (code === tryAgainLater || code === pageOverloaded)
    return new WireError("overloaded", "the connection was closed: the other end is overloaded", {
      data: { code, reason },
    });
  if (code === 1000 || code === 1001 || code === 1005) return closedThere();
  if (code === 1006) return closedThere(new Error("without a close"));
  return closedThere(new Error(`with the code ${code}${reason === "" ? "" : ` (${reason})`}`), { code, reason });
}
