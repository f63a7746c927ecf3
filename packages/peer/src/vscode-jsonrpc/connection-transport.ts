import type { RequestId } from "@editwire/core";
import { WireError } from "@editwire/core/errors";
import type { CancelMessage } from "../json-rpc/options.js";
import type { Transport } from "@editwire/transport";
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

/** How a connection is used as a transport. */
export interface ConnectionTransportOptions {
  /** How the peer on top of the transport says that it cancels a request. Default `$/cancelRequest` with `{ id }`. */
  cancel?: CancelMessage | undefined;
  /** Messages that may wait to be handled before the connection is given up as `overloaded`: it cannot be told to stop reading. Default 65,536. */
  maxHeld?: number | undefined;
  /** Characters of messages that may wait to be written; a `send` that finds more throws `overloaded`. Default 64 Mi. */
  maxQueuedBytes?: number | undefined;
  /** Milliseconds that the peer gets to take what was sent before a close. Default 2,000. */
  closeTimeoutMs?: number | undefined;
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

/** Macrotasks after which vscode-jsonrpc has written an answer; nothing says when it has. */
const writesOfAnAnswer = 4;

const cancelRequest: CancelMessage = {
  method: "$/cancelRequest",
  params: (id) => ({ id }),
  idOf: (params) => (params as { id?: RequestId } | null | undefined)?.id,
};

/**
 * Moves messages over a `MessageConnection` of vscode-jsonrpc, such as an extension holds. It registers the connection's handlers
 * for all methods at once and `listen()`s in `start` unless that is done; handlers that the extension registered for single methods keep those. The
 * connection does the ids of the wire, so ids seen on top of the transport are its own. Closing it flushes, ends and disposes the connection.
 */
export function connectionTransport(
  connection: MessageConnection,
  options: ConnectionTransportOptions = {},
): Transport {
  const {
    cancel = cancelRequest,
    maxHeld = 65_536,
    maxQueuedBytes = 64 * 1024 * 1024,
    closeTimeoutMs = 2_000,
  } = options;
  const inbox = new Inbox(maxHeld, (reason) => end(reason, true));
  const outbox = new Outbox(maxQueuedBytes);
  /** What cancels the requests that were sent. */
  const calls = new Map<RequestId, CancellationTokenSource>();
  /** The requests of the other end that are not answered yet. */
  const answers = new Map<RequestId, Answer>();
  let lastId = 0;
  let activity = 0;
  let state: "open" | "closing" | "closed" = "open";
  let closing: Promise<void> | undefined;

  const end = (reason: WireError, drop: boolean): void => {
    if (state === "closed") return;
    state = "closed";
    outbox.open();
    connection.dispose();
    inbox.end(reason, drop);
  };

  const receive = (message: object): void => {
    activity += 1;
    if (state === "open") inbox.push({ jsonrpc: "2.0", ...message });
  };

  const onRequest = (method: string, params: unknown, token: CancellationToken): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      answers.set(id, { resolve, reject });
      receive({ id, method, params });
      const cancelled = (): void => receive({ method: cancel.method, params: cancel.params(id) });
      if (token.isCancellationRequested)
        cancelled(); // such a token never fires
      else token.onCancellationRequested(cancelled);
    });

  const onNotification = (method: string, params: unknown): void => {
    if (method !== cancel.method) receive({ method, params }); // a cancel names an id of the wire; those that count come as tokens
  };

  /** The other end is gone, but what it sent last may still be in the connection's queue, which empties by one message a macrotask. */
  const onClose = async (): Promise<void> => {
    let seen: number;
    do {
      seen = activity;
      await macrotasks(2);
    } while (seen !== activity);
    end(new WireError("closed", "closed by the other end"), false);
  };

  const onError = (error: Error, isWrite: boolean): void => {
    if (isWrite) end(new WireError("closed", `cannot write: ${error.message}`, { cause: error }), false);
    else
      inbox.malformed(error instanceof WireError ? error : new WireError("framing", error.message, { cause: error }));
  };

  const call = (id: RequestId, method: string, params: unknown[]): void => {
    const source = new CancellationTokenSource();
    const reply = (message: object): void => {
      calls.delete(id);
      receive({ id, ...message });
    };
    calls.set(id, source);
    connection.sendRequest(method, ...params, source.token).then(
      (result: unknown) => reply({ result }),
      ({ code, message, data }: ResponseError<unknown>) => reply({ error: { code, message, data } }),
    );
  };

  const answer = ({ id, result, error }: Outgoing): void => {
    const waiting = id === undefined || id === null ? undefined : answers.get(id);
    if (waiting === undefined) return; // an error for bytes that were no request: the connection has no way to send it
    answers.delete(id as RequestId);
    activity += 1;
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new ResponseError(error.code, error.message, error.data));
  };

  const send = (json: string): void | Promise<void> => {
    const message = JSON.parse(json) as Outgoing;
    const { id, method } = message;
    if (method === undefined) return answer(message);
    if (method === cancel.method) return calls.get(cancel.idOf(message.params) ?? "")?.cancel();
    const params = message.params === undefined || message.params === null ? [] : asArguments(message.params);
    if (id === undefined || id === null)
      return outbox.track(json.length, connection.sendNotification(method, ...params));
    call(id, method, params);
  };

  const shut = async (): Promise<void> => {
    state = "closing";
    let timer: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([
      outbox.flushed(),
      new Promise<void>((resolve) => (timer = setTimeout(resolve, closeTimeoutMs))),
    ]);
    clearTimeout(timer);
    await macrotasks(writesOfAnAnswer);
    connection.end();
    end(new WireError("closed", "closed by this side"), true);
  };

  try {
    connection.onRequest(onRequest);
    connection.onNotification(onNotification);
    connection.onNotification("$/progress", (params: unknown) => onNotification("$/progress", params)); // the connection would keep it to itself
    connection.onClose(() => void onClose());
    connection.onDispose(() => end(new WireError("closed", "the connection was disposed"), false));
    connection.onError(([error, message, count]) => onError(error, message !== undefined || count !== undefined));
  } catch (cause) {
    end(new WireError("closed", "the connection was closed already", { cause }), true);
  }

  return {
    start(events) {
      inbox.start(events);
      try {
        if (state === "open") connection.listen();
      } catch {
        // It listens already.
      }
    },
    send(json) {
      if (state !== "open") throw closedError();
      outbox.check();
      try {
        return send(json);
      } catch (cause) {
        throw closedError(cause);
      }
    },
    close: () => (closing ??= state === "closed" ? Promise.resolve() : shut()),
  };
}

/** Params as vscode-jsonrpc takes them without changing their form. */
function asArguments(params: unknown): unknown[] {
  return Array.isArray(params)
    ? [ParameterStructures.byPosition, ...(params as unknown[])]
    : [ParameterStructures.byName, params];
}

function closedError(cause?: unknown): WireError {
  return new WireError("closed", "cannot send: the connection is closed", cause === undefined ? {} : { cause });
}
