import type { RequestId } from "@editwire/core";
import { isWireError, WireError } from "@editwire/core/errors";
import type { CancelMessage } from "../json-rpc/options.js";
import type { Transport, TransportEvents } from "@editwire/transport";
import {
  type CancellationToken,
  CancellationTokenSource,
  type MessageConnection,
  ParameterStructures,
  ResponseError,
} from "vscode-jsonrpc";
import { Inbox } from "./inbox.js";
import { macrotasks } from "./macrotasks.js";
import { Outbox } from "./outbox.js";

/** The options of a connection as a transport. */
export interface ConnectionTransportOptions {
  /** The cancel message of the peer that uses the transport. Default `$/cancelRequest` with `{ id }`. */
  cancel?: CancelMessage | undefined;
  /**
   * Messages that may wait to be handled. Above it, the connection closes with `overloaded`, because it cannot pause
   * reading. Default 65,536.
   */
  maxHeld?: number | undefined;
  /**
   * Characters of messages that may wait to be written; a `send` that finds more throws `overloaded`. Default 64 Mi.
   */
  maxQueuedBytes?: number | undefined;
  /** Milliseconds that the peer has to read what was sent before a close. Default 2,000. */
  closeTimeoutMs?: number | undefined;
  /**
   * `ResponseError` of the copy of vscode-jsonrpc that made the connection, such as the one that vscode-languageserver
   * exports. A connection answers with the code of its own copy's errors only. Default: that of the copy that this
   * package finds.
   */
  ResponseError?: typeof ResponseError | undefined;
}

/** A message that is sent, as its JSON text says. */
interface Outgoing {
  readonly id?: RequestId | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

interface Answer {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: ResponseError<unknown>) => void;
}

const cancelRequest: CancelMessage = {
  method: "$/cancelRequest",
  params: (id) => ({ id }),
  idOf: (params) => (params as { id?: RequestId } | null | undefined)?.id,
};

/**
 * Moves messages over a `MessageConnection` of vscode-jsonrpc, such as an extension holds. It registers the
 * connection's handlers for all methods at once and `listen()`s in `start` unless that is done; handlers that the
 * extension registered for single methods keep those. The connection assigns the ids on the wire, so the users of the
 * transport see other ids.
 *
 * Closing it flushes, ends and disposes the connection. A connection does not say when it has written an answer, so the
 * flush sends one last notification behind the answers, a cancel of a request that does not exist.
 */
export function connectionTransport(
  connection: MessageConnection,
  options: ConnectionTransportOptions = {},
): Transport {
  return new ConnectionTransport(connection, options);
}

/** The id of the cancel that is sent last. Connections number their own requests, so no request has it. */
const noRequest = "none";

class ConnectionTransport implements Transport {
  readonly #connection: MessageConnection;
  readonly #cancel: CancelMessage;
  readonly #closeTimeoutMs: number;
  readonly #ResponseError: typeof ResponseError;
  readonly #inbox: Inbox;
  readonly #outbox: Outbox;
  /** The sources that cancel the requests that were sent. */
  readonly #calls = new Map<RequestId, CancellationTokenSource>();
  /** The requests of the other end that are not answered yet. */
  readonly #answers = new Map<RequestId, Answer>();
  #lastId = 0;
  /** Counts what arrived and what was answered. */
  #activity = 0;
  /** The connection took an answer, and does not say when that is written. */
  #answered = false;
  #state: "open" | "closing" | "closed" = "open";
  #closing: Promise<void> | undefined;

  constructor(connection: MessageConnection, options: ConnectionTransportOptions) {
    const { cancel = cancelRequest, maxHeld = 65_536, maxQueuedBytes = 67_108_864, closeTimeoutMs = 2_000 } = options;
    this.#connection = connection;
    this.#cancel = cancel;
    this.#closeTimeoutMs = closeTimeoutMs;
    this.#ResponseError = options.ResponseError ?? ResponseError;
    this.#inbox = new Inbox(maxHeld, (reason) => this.#end(reason, true));
    this.#outbox = new Outbox(maxQueuedBytes);
    try {
      this.#listen();
    } catch (cause) {
      this.#end(new WireError("closed", "the connection was already closed", { cause }), true);
    }
  }

  start(events: TransportEvents): void {
    this.#inbox.start(events);
    try {
      if (this.#state === "open") this.#connection.listen();
    } catch {
      // It listens already.
    }
  }

  send(json: string): void | Promise<void> {
    if (this.#state !== "open") throw closedError();
    this.#outbox.check();
    try {
      return this.#send(json);
    } catch (cause) {
      throw closedError(cause);
    }
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#state === "closed" ? Promise.resolve() : this.#shut());
  }

  #listen(): void {
    const connection = this.#connection;
    const onNotification = (method: string, params: unknown): void => {
      // A cancel names an id of the wire. Cancellations of requests that run arrive as tokens.
      if (method !== this.#cancel.method) this.#receive({ method, params });
    };
    connection.onRequest((method, params, token) => this.#onRequest(method, params, token));
    connection.onNotification(onNotification);
    // Without a handler of its own, the connection would not pass it to the handler for all methods.
    connection.onNotification("$/progress", (params: unknown) => onNotification("$/progress", params));
    connection.onClose(() => void this.#onClose());
    connection.onDispose(() => this.#end(new WireError("closed", "the connection was disposed"), false));
    connection.onError(([error, message, count]) => this.#onError(error, message !== undefined || count !== undefined));
  }

  #onRequest(method: string, params: unknown, token: CancellationToken): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#answers.set(id, { resolve, reject });
      this.#receive({ id, method, params });
      const cancelled = (): void => this.#receive({ method: this.#cancel.method, params: this.#cancel.params(id) });
      if (token.isCancellationRequested)
        cancelled(); // such a token never fires
      else token.onCancellationRequested(cancelled);
    });
  }

  /**
   * The other end has closed, but its last messages may still be in the connection's queue, which delivers one message
   * per macrotask.
   */
  async #onClose(): Promise<void> {
    let seen: number;
    do {
      seen = this.#activity;
      await macrotasks(2);
    } while (seen !== this.#activity);
    this.#end(new WireError("closed", "closed by the other end"), false);
  }

  #onError(error: Error, isWrite: boolean): void {
    if (isWrite) this.#end(new WireError("closed", `cannot write: ${error.message}`, { cause: error }), false);
    else this.#inbox.malformed(isWireError(error) ? error : new WireError("framing", error.message, { cause: error }));
  }

  #receive(message: object): void {
    this.#activity += 1;
    if (this.#state === "open") this.#inbox.push({ jsonrpc: "2.0", ...message });
  }

  #send(json: string): void | Promise<void> {
    const message = JSON.parse(json) as Outgoing;
    const { id, method } = message;
    if (method === undefined) return this.#answer(message);
    if (method === this.#cancel.method) return this.#calls.get(this.#cancel.idOf(message.params) ?? "")?.cancel();
    const params = asArguments(message.params);
    if (id === undefined || id === null)
      return this.#outbox.track(json.length, this.#connection.sendNotification(method, ...params));
    this.#call(id, method, params);
  }

  #call(id: RequestId, method: string, params: unknown[]): void {
    const source = new CancellationTokenSource();
    const reply = (message: object): void => {
      this.#calls.delete(id);
      this.#receive({ id, ...message });
    };
    this.#calls.set(id, source);
    this.#connection.sendRequest(method, ...params, source.token).then(
      (result: unknown) => reply({ result }),
      ({ code, message, data }: ResponseError<unknown>) => reply({ error: { code, message, data } }),
    );
  }

  #answer({ id, result, error }: Outgoing): void {
    const waiting = id === undefined || id === null ? undefined : this.#answers.get(id);
    if (waiting === undefined) return; // the connection cannot send an error for bytes that were not a request
    this.#answers.delete(id as RequestId);
    this.#activity += 1;
    this.#answered = true;
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new this.#ResponseError(error.code, error.message, error.data));
  }

  async #shut(): Promise<void> {
    this.#state = "closing";
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, this.#closeTimeoutMs)));
    await Promise.race([this.#flush().catch(() => {}), timeout]); // a connection that ends meanwhile takes no more
    clearTimeout(timer);
    this.#connection.end();
    this.#end(new WireError("closed", "closed by this side"), true);
  }

  /**
   * Resolves after everything that was sent is written. A connection writes in order, and reports only notifications as
   * written.
   */
  async #flush(): Promise<void> {
    if (this.#answered || this.#calls.size > 0) {
      await macrotasks(1); // the connection takes an answer in a microtask of the promise that it was given
      const { method, params } = this.#cancel;
      await this.#connection.sendNotification(method, ...asArguments(params(noRequest)));
    }
    await this.#outbox.flushed();
  }

  #end(reason: WireError, drop: boolean): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#outbox.open();
    this.#connection.dispose();
    this.#inbox.end(reason, drop);
  }
}

/**
 * Params in the form that vscode-jsonrpc does not change. An object stands alone: a connection of another copy of
 * vscode-jsonrpc would take `ParameterStructures.byName` for the first param.
 */
function asArguments(params: unknown): unknown[] {
  if (params === undefined || params === null) return [];
  return Array.isArray(params) ? [ParameterStructures.byPosition, ...(params as unknown[])] : [params];
}

function closedError(cause?: unknown): WireError {
  return new WireError("closed", "cannot send: the connection is closed", cause === undefined ? {} : { cause });
}
