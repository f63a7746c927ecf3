import { WireError } from "@editwire/core/errors";
import { Gate } from "@editwire/core/gate";
import type { EventSourceMessage } from "eventsource-parser";
import { readEvents } from "./http-events.js";
import { Outbox } from "./http-outbox.js";
import { type Init, Requests } from "./http-requests.js";
import { parseMessage } from "./json.js";
import { randomId } from "./random-id.js";
import { closedHere, sendAfterClose } from "./reasons.js";
import { delay, within } from "./timers.js";
import type { Transport, TransportEvents } from "./transport.js";

/** How messages travel over HTTP: the client's by POST, the server's on an event stream. */
export interface HttpClientOptions {
  /** Where messages are POSTed, with the client's id in the query. */
  rpc: string | URL;
  /** Where the event stream is read, with the same id. */
  events: string | URL;
  /** Sent with every request, such as `authorization`. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /**
   * Milliseconds that a server which was reached once may be out of reach before the transport closes. Default 10,000.
   */
  retryMs?: number | undefined;
  /** Milliseconds without a byte, pings included, after which the event stream counts as lost. Default 60,000. */
  silenceMs?: number | undefined;
  /** Milliseconds that `close` gives the server to take what was sent. Default 5,000. */
  closeTimeoutMs?: number | undefined;
  /** Characters of one event. Default 64 Mi; a longer one closes the transport with `too_large`. */
  maxMessageBytes?: number | undefined;
  /** Characters that wait to be POSTed. Default 64 Mi; past them `send` throws `overloaded`. */
  maxQueuedBytes?: number | undefined;
}

/**
 * Milliseconds before a stream without an event is opened again, so that a server which ends every stream is not
 * flooded.
 */
const reopenMs = 100;
/** Milliseconds that the last request to a server may take. */
const goodbyeMs = 1_000;
const gone = 410;

/**
 * Reaches a server over HTTP and server-sent events. Messages are POSTed one after the other, the first when the event
 * stream is open. A lost stream is opened again, with `Last-Event-ID` where the server numbers its events, and a POST
 * whose answer was lost is made again, there with the same `Idempotency-Key`: then nothing is lost and nothing arrives
 * twice. A server that has forgotten this client, by a restart or after its idle time, closes the transport. One
 * without event ids cannot report it.
 */
export function httpClientTransport(options: HttpClientOptions): Transport {
  return new HttpClientTransport(options);
}

class HttpClientTransport implements Transport {
  readonly #options: HttpClientOptions;
  readonly #closeTimeoutMs: number;
  readonly #requests: Requests;
  readonly #outbox: Outbox;
  readonly #id = randomId();
  readonly #over = new Gate();
  #events: TransportEvents | undefined;
  #reason: WireError | undefined;
  #closing: Promise<void> | undefined;
  #posts = 0;
  /** The event after which the stream continues; only servers that number their events set it. */
  #lastEventId: string | undefined;

  constructor(options: HttpClientOptions) {
    const {
      headers = {},
      fetch: ownFetch,
      retryMs = 10_000,
      closeTimeoutMs = 5_000,
      maxQueuedBytes = 64 * 1024 * 1024,
    } = options;
    this.#options = options;
    this.#closeTimeoutMs = closeTimeoutMs;
    this.#requests = new Requests({ headers, fetch: ownFetch ?? ((...request) => fetch(...request)), retryMs });
    this.#outbox = new Outbox((json) => this.#post(json), maxQueuedBytes);
  }

  start(events: TransportEvents): void {
    const reason = this.#reason;
    this.#events = events;
    if (reason === undefined) void this.#listen();
    else queueMicrotask(() => events.closed(reason));
  }

  send(json: string): void | Promise<void> {
    if (this.#closing !== undefined || this.#reason !== undefined) throw sendAfterClose();
    return this.#outbox.push(json);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#leave());
  }

  async #leave(): Promise<void> {
    if (this.#events !== undefined) {
      await within(this.#closeTimeoutMs, this.#outbox.flushed());
      await within(goodbyeMs, this.#sayGoodbye());
    }
    this.#finish(closedHere());
  }

  #finish(reason: WireError): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#requests.abort();
    this.#outbox.drop();
    this.#over.open();
    this.#events?.closed(reason);
  }

  /** Reads one event stream after the other until the transport is over. */
  async #listen(): Promise<void> {
    try {
      while (this.#reason === undefined) {
        await this.#requests.during(async (signal) => {
          const something = await this.#readStream(signal);
          if (!something) await delay(reopenMs, signal);
        });
      }
    } catch (error) {
      this.#finish(error as WireError);
    }
  }

  /** Opens the event stream and reads it to its end. False when nothing came. */
  async #readStream(signal: AbortSignal): Promise<boolean> {
    const { events: url, maxMessageBytes: maxChars = 64 * 1024 * 1024, silenceMs = 60_000 } = this.#options;
    const resume: Record<string, string> =
      this.#lastEventId === undefined ? {} : { "last-event-id": this.#lastEventId };
    const init: Init = { headers: { accept: "text/event-stream", ...resume }, cache: "no-store" };
    const { body, headers } = await this.#requests.make(url, init, signal);
    const type = headers.get("content-type");
    if (body === null || !type?.startsWith("text/event-stream")) {
      void body?.cancel().catch(() => {});
      throw this.#requests.failure(url, init, `expected an answer of type text/event-stream, got ${type}`);
    }
    this.#lastEventId ??= headers.get("last-event-id") ?? undefined;
    this.#requests.reached = true;
    this.#outbox.open();
    let count = 0;
    await readEvents(body, { maxChars, silenceMs }, (event) => {
      count += 1;
      return this.#take(event);
    });
    return count > 0;
  }

  #take({ data, id, event = "message" }: EventSourceMessage): void | Promise<void> {
    if (this.#reason !== undefined || this.#closing !== undefined) return;
    // Only an id that a header can carry is kept.
    if (id !== undefined && /^[\x20-\x7e]*$/.test(id)) this.#lastEventId = id === "" ? undefined : id;
    if (event !== "message") return;
    const value = parseMessage(data);
    if (value instanceof WireError) return this.#events?.malformed(value);
    const settled = this.#events?.message(value, data.length);
    if (settled !== undefined) return settled.catch(() => {}); // the listener reports its own failures
  }

  async #post(body: string): Promise<void> {
    this.#posts += 1;
    const key: Record<string, string> =
      this.#lastEventId === undefined ? {} : { "idempotency-key": `${this.#id}-${this.#posts}` };
    const init: Init = { method: "POST", body, headers: { "content-type": "application/json", ...key } };
    try {
      const response = await this.#requests.during((signal) => this.#requests.make(this.#options.rpc, init, signal));
      // Cancelling costs as much as a request: an answer that says it is empty is left alone.
      if (response.headers.get("content-length") !== "0") void response.body?.cancel().catch(() => {});
    } catch (error) {
      const reason = error as WireError;
      // A server that closed may have sent messages before: its event stream reports the end.
      if ((reason.data as { status?: number } | undefined)?.status === gone)
        await within(this.#closeTimeoutMs, this.#over.wait());
      this.#finish(reason);
    }
  }

  /** Tells the server that this client will not return, if the server numbers its events and so knows the request. */
  async #sayGoodbye(): Promise<void> {
    if (this.#reason !== undefined || this.#lastEventId === undefined) return;
    await this.#requests
      .during((signal) => this.#requests.once(this.#options.events, { method: "DELETE" }, signal))
      .catch(() => {});
  }
}
