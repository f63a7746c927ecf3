import { isWireError, WireError } from "@editwire/core/errors";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { Outbox } from "./http-outbox.js";
import { fetchWithRetry } from "./http-retry.js";
import { closedHere, sendAfterClose } from "./reasons.js";
import { parseMessage } from "./json.js";
import { delay, startTimer } from "./timers.js";
import type { Transport, TransportEvents } from "./transport.js";

/** How messages travel over HTTP: ours by POST, the server's on an event stream. */
export interface HttpClientOptions {
  /** Where messages are POSTed, with the client's id in the query. */
  rpc: string | URL;
  /** Where the event stream is read, with the same id. */
  events: string | URL;
  /** Sent with every request, such as `authorization`. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** Milliseconds that the server may be out of reach before the transport closes. Default 10,000. */
  retryMs?: number | undefined;
  /** Characters of one event. Default 64 Mi; a longer one closes the transport with `too_large`. */
  maxMessageBytes?: number | undefined;
  /** Bytes that wait to be POSTed. Default 64 MiB; past them `send` throws `overloaded`. */
  maxQueuedBytes?: number | undefined;
}

/** Milliseconds that `close` waits for what was taken to leave. */
const flushMs = 2_000;
/** Milliseconds before a stream that ended is opened again, so that a server which ends every stream is not overrun. */
const reopenMs = 100;

/**
 * Reaches a server over HTTP and server-sent events. Messages are POSTed one after the other. A lost event stream is opened
 * again, with `Last-Event-ID` where the server numbers its events, so that nothing which the server kept is missed.
 */
export function httpClientTransport(options: HttpClientOptions): Transport {
  return new HttpClientTransport(options);
}

class HttpClientTransport implements Transport {
  readonly #options: HttpClientOptions;
  readonly #outbox: Outbox;
  readonly #over = new AbortController();
  #events: TransportEvents | undefined;
  #reason: WireError | undefined;
  #closing: Promise<void> | undefined;
  #lastEventId: string | undefined;

  constructor(options: HttpClientOptions) {
    this.#options = options;
    this.#outbox = new Outbox((json) => this.#post(json), options.maxQueuedBytes ?? 64 * 1024 * 1024);
  }

  start(events: TransportEvents): void {
    this.#events = events;
    if (this.#reason !== undefined) events.closed(this.#reason);
    else void this.#listen().catch((error: unknown) => this.#finish(error as WireError));
  }

  send(json: string): void | Promise<void> {
    if (this.#closing !== undefined || this.#reason !== undefined) throw sendAfterClose();
    return this.#outbox.push(json);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#flush().then(() => this.#finish(closedHere())));
  }

  async #flush(): Promise<void> {
    let stop = (): void => {};
    const tooLong = new Promise<void>((resolve) => (stop = startTimer(flushMs, resolve)));
    await Promise.race([this.#outbox.flushed(), tooLong]);
    stop();
  }

  #finish(reason: WireError): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#over.abort();
    this.#outbox.drop();
    this.#events?.closed(reason);
  }

  #request(name: string, url: string | URL, init: RequestInit): Promise<Response> {
    const { fetch: send = fetch, headers, retryMs = 10_000 } = this.#options;
    const { signal } = this.#over;
    const once = (): Promise<Response> => send(url, { ...init, headers: { ...headers, ...(init.headers as Record<string, string>) }, signal });
    return fetchWithRetry(`${name} ${new URL(url).pathname}`, once, retryMs, signal);
  }

  async #post(json: string): Promise<void> {
    try {
      const answer = await this.#request("POST", this.#options.rpc, { method: "POST", body: json, headers: { "content-type": "application/json" } });
      await answer.body?.cancel();
    } catch (error) {
      this.#finish(error as WireError);
    }
  }

  /** Reads one event stream after the other until the transport is over. */
  async #listen(): Promise<void> {
    while (this.#reason === undefined) {
      const resume: Record<string, string> = this.#lastEventId === undefined ? {} : { "last-event-id": this.#lastEventId };
      const { body } = await this.#request("GET", this.#options.events, { headers: { accept: "text/event-stream", ...resume } });
      if (body !== null) await this.#read(body).catch((error: unknown) => isWireError(error) && this.#finish(error));
      await delay(reopenMs, this.#over.signal);
    }
  }

  /** Reads no further while the listener is busy, which slows the server down. */
  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const { maxMessageBytes = 64 * 1024 * 1024 } = this.#options;
    const messages: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (event) => messages.push(event) });
    const decoder = new TextDecoder();
    const reader = body.getReader();
    let pending = 0;
    for (let part = await reader.read(); part.value !== undefined; part = await reader.read()) {
      parser.feed(decoder.decode(part.value, { stream: true }));
      pending = messages.length > 0 ? 0 : pending + part.value.byteLength;
      if (pending > maxMessageBytes) throw new WireError("too_large", `an event is larger than ${maxMessageBytes} bytes`);
      for (const message of messages.splice(0)) await this.#deliver(message);
    }
  }

  async #deliver({ data, id }: EventSourceMessage): Promise<void> {
    if (this.#reason !== undefined) return;
    if (id !== undefined) this.#lastEventId = id;
    const value = parseMessage(data);
    if (value instanceof WireError) return this.#events?.malformed(value);
    await Promise.resolve(this.#events?.message(value)).catch(() => {}); // a listener reports its failures itself
  }
}
