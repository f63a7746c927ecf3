import { isWireError, type WireError } from "@editwire/core/errors";
import { Gate } from "@editwire/core/gate";
import { type EventStream, isOutcomeUnknown, statusOf } from "./event-stream.js";
import { Outbox } from "./outbox.js";
import { type Init, Requests } from "./requests.js";
import { deliverBroken, parseMessage } from "../shared/json.js";
import { randomId } from "./keys.js";
import { closedHere, sendAfterClose } from "../shared/reasons.js";
import { delay, within } from "../shared/timers.js";
import type { Transport, TransportEvents } from "../transport.js";

/** The limits of a client of an HTTP server, and how it makes its requests. */
export interface HttpClientLimits {
  /** Sent with every request, such as `authorization`. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /**
   * The cookies that the server sets, by their names. A later connection that gets the same map returns them, so that a
   * load balancer takes it to the same server. Browsers keep cookies themselves. Default: they end with the connection.
   */
  cookies?: Map<string, string> | undefined;
  /**
   * Milliseconds that a server which was reached once may be out of reach before the transport closes. Default 10,000.
   */
  retryMs?: number | undefined;
  /** Milliseconds without a byte, pings included, after which an event stream counts as lost. Default 60,000. */
  silenceMs?: number | undefined;
  /** Milliseconds that `close` gives the server to take what was sent. Default 5,000. */
  closeTimeoutMs?: number | undefined;
  /** Characters of one event. Default 64 Mi; a longer one closes the transport with `too_large`. */
  maxMessageBytes?: number | undefined;
  /** Characters that wait to be POSTed. Default 64 Mi; past them `send` throws `overloaded`. */
  maxQueuedBytes?: number | undefined;
}

/** The differences between the ways to use HTTP. */
export interface HttpClientWire {
  /** Called when the transport is started. */
  begin(): void;
  /** POSTs a message. Settles when the server has accepted it. An error that it throws is its failure. */
  post(json: string): Promise<void>;
  /** Delivers the answer to a message that the server refused. Returns false for none: then the transport closes. */
  refused(json: string, why: WireError): boolean;
  /** Tells the server that this client will not return, if it knows the request. */
  sayGoodbye(signal: AbortSignal): Promise<unknown> | undefined;
  /** The status of a POST to a server that has closed this client, and that may have sent messages before. */
  readonly gone: number;
}

/**
 * Milliseconds before a stream without an event is opened again, so that a server which ends every stream is not
 * flooded.
 */
const reopenMs = 100;
/** Milliseconds that the last request to a server may take. */
const goodbyeMs = 1_000;
/** Milliseconds in which the event stream of a server that has closed this client must end. */
const lastEventsMs = 1_000;

/** The statuses of a server that refuses this client, or does not know it any more. */
const refusals = [401, 403, 404, 410];

/** Whether one message failed, and not the connection: it was refused, such as for its size, or its fate is unknown. */
function isAboutMessage(failure: WireError): boolean {
  const status = statusOf(failure);
  return status === undefined ? isOutcomeUnknown(failure) : !refusals.includes(status);
}

/** The transport of an HTTP client, whatever its paths, headers and streams. */
export class HttpClientCore implements Transport {
  readonly requests: Requests;
  readonly outbox: Outbox;
  readonly #wire: HttpClientWire;
  readonly #closeTimeoutMs: number;
  readonly #id = randomId();
  readonly #over = new Gate();
  #events: TransportEvents | undefined;
  #reason: WireError | undefined;
  #closing: Promise<void> | undefined;
  #posts = 0;

  constructor(options: HttpClientLimits, wireOf: (core: HttpClientCore) => HttpClientWire) {
    const { headers = {}, fetch: ownFetch, retryMs = 10_000, maxQueuedBytes = 64 * 1024 * 1024 } = options;
    const { cookies = new Map<string, string>() } = options;
    this.#closeTimeoutMs = options.closeTimeoutMs ?? 5_000;
    this.requests = new Requests({ headers, fetch: ownFetch ?? ((...request) => fetch(...request)), retryMs, cookies });
    this.outbox = new Outbox((json) => this.#post(json), maxQueuedBytes);
    this.#wire = wireOf(this);
  }

  start(events: TransportEvents): void {
    const reason = this.#reason;
    this.#events = events;
    if (reason === undefined) this.#wire.begin();
    else queueMicrotask(() => events.closed(reason));
  }

  send(json: string): void | Promise<void> {
    if (this.#closing !== undefined || this.#reason !== undefined) throw sendAfterClose();
    return this.outbox.push(json);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#leave());
  }

  /** Resolves when the transport is over. */
  async ended(): Promise<void> {
    if (this.#reason === undefined) await this.#over.wait();
  }

  /** Closes the transport immediately. */
  finish(reason: WireError): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.requests.abort();
    this.outbox.drop();
    this.#over.open();
    this.#events?.closed(reason);
  }

  /** Opens an event stream again and again, until the transport is over, `signal` aborts or `lost` gives a reason. */
  async follow(stream: EventStream, signal?: AbortSignal, lost?: () => WireError | undefined): Promise<void> {
    try {
      while (this.#reason === undefined && signal?.aborted !== true) {
        await this.requests.during(async (own) => {
          const both = signal === undefined ? own : AbortSignal.any([own, signal]);
          const something = await stream.read(both);
          const reason = both.aborted ? undefined : lost?.();
          if (reason !== undefined) throw reason;
          if (!something) await delay(reopenMs, both);
        });
      }
    } catch (error) {
      if (signal?.aborted !== true) this.finish(error as WireError);
    }
  }

  /** Delivers a message. `note` is called with its value before. */
  deliver(data: string, note: (value: unknown) => void = () => {}): void | Promise<void> {
    const events = this.#events;
    if (this.#reason !== undefined || this.#closing !== undefined || events === undefined) return;
    const message = (value: unknown, length: number): void | Promise<void> => {
      note(value);
      return events.message(value, length);
    };
    const value = parseMessage(data);
    const settled = isWireError(value)
      ? deliverBroken(data, value, { ...events, message })
      : message(value, data.length);
    if (settled !== undefined) return settled.catch(() => {}); // the listener reports its own failures
  }

  /**
   * POSTs a message. Where the server takes keys, it has one, and is sent again until the server accepts it.
   * Otherwise, only a message that may arrive twice is sent again after a failure of unknown outcome.
   */
  async postTo(
    url: string | URL,
    body: string,
    mayArriveTwice: () => boolean,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    this.#posts += 1;
    const { takesKeys } = this.requests;
    const key: Record<string, string> = takesKeys ? { "idempotency-key": `${this.#id}-${this.#posts}` } : {};
    const init: Init = { method: "POST", body, headers: { "content-type": "application/json", ...headers, ...key } };
    const isRepeatable = takesKeys || mayArriveTwice();
    const response = await this.requests.during((signal) => this.requests.make(url, init, signal, isRepeatable));
    // Cancelling costs as much as a request: an answer that says it is empty is left alone.
    if (response.headers.get("content-length") !== "0") void response.body?.cancel().catch(() => {});
  }

  async #post(json: string): Promise<void> {
    try {
      await this.#wire.post(json);
    } catch (error) {
      const reason = error as WireError;
      if (isAboutMessage(reason) && this.requests.reached && this.#wire.refused(json, reason)) return;
      // A server that closed may have sent messages before: its event stream reports the end.
      if (this.requests.reached && statusOf(reason) === this.#wire.gone) await within(lastEventsMs, this.ended());
      this.finish(reason);
    }
  }

  async #leave(): Promise<void> {
    if (this.#events !== undefined) {
      await within(this.#closeTimeoutMs, this.outbox.flushed());
      if (this.#reason === undefined) {
        const goodbye = this.requests.during(async (signal) => this.#wire.sayGoodbye(signal));
        await within(goodbyeMs, goodbye);
      }
    }
    this.finish(closedHere());
  }
}
