import { WireError } from "@editwire/core/errors";
import { readBody } from "./answers.js";
import { HttpClientCore, type HttpClientLimits, type HttpClientWire } from "./client-core.js";
import { EventStream } from "./event-stream.js";
import type { Init } from "./requests.js";
import type { HttpClientRoutes, StreamsHeaders } from "./routes.js";
import { parseMessage } from "../shared/json.js";
import type { Transport } from "../transport.js";

/** How messages travel over HTTP to a server with several event streams for each client. */
export interface HttpStreamsClientOptions extends HttpClientLimits {
  /** Where every request goes. */
  url: string | URL;
  /** The headers that name a connection and an event stream. */
  names: StreamsHeaders;
  /** The routes of this connection. */
  routes: HttpClientRoutes;
}

/**
 * Reaches a server that is one URL. The first message opens a connection: the answer to its POST is its answer and has
 * the id of the connection, which later requests name. Then the connection's own event stream is opened, and a stream
 * of another name before the first message that belongs to it is POSTed. A lost stream is opened again, with
 * `Last-Event-ID` where the server numbers its events: then nothing is lost. Otherwise an answer that was to come on it
 * may be lost, so the transport closes with `closed`. A POST is made again by the rules of `httpClientTransport`, with
 * `routes.mayArriveTwice`; the first one, only if the server certainly did not take it. A request whose POST fails
 * otherwise gets the answer that `routes` gives; 401, 403, 404 and 410, and any failure of another message, close the
 * transport.
 */
export function httpStreamsClientTransport(options: HttpStreamsClientOptions): Transport {
  return new HttpClientCore(options, (core) => new StreamsWire(core, options));
}

/** The name of the stream that belongs to the connection itself. */
const own = "";

/** An event stream that is open, or about to be. */
interface Followed {
  readonly events: EventStream;
  readonly opened: Promise<void>;
  readonly abort: AbortController;
}

class StreamsWire implements HttpClientWire {
  readonly gone = 404;
  readonly #core: HttpClientCore;
  readonly #options: HttpStreamsClientOptions;
  readonly #streams = new Map<string, Followed>();
  /** The header that names the connection, once there is one. */
  #connection: Readonly<Record<string, string>> | undefined;

  constructor(core: HttpClientCore, options: HttpStreamsClientOptions) {
    this.#core = core;
    this.#options = options;
  }

  begin(): void {
    this.#core.outbox.open();
  }

  async post(json: string): Promise<void> {
    const { url, routes } = this.#options;
    const message = parseMessage(json);
    const stream = routes.outgoing(message);
    if (this.#connection === undefined) return this.#open(json);
    const { opened } = this.#follow(stream);
    await Promise.race([opened, this.#core.ended()]);
    await this.#core.postTo(url, json, () => routes.mayArriveTwice(message), this.#headersOf(stream));
  }

  refused(json: string, why: WireError): boolean {
    const answer = this.#options.routes.refused(parseMessage(json), why);
    if (answer !== undefined) void this.#deliver(JSON.stringify(answer), own);
    return answer !== undefined;
  }

  sayGoodbye(signal: AbortSignal): Promise<unknown> | undefined {
    if (this.#connection === undefined) return undefined;
    return this.#core.requests.make(this.#options.url, { method: "DELETE", headers: { ...this.#connection } }, signal);
  }

  /** POSTs the message that opens the connection, delivers its answer, and opens the connection's own stream. */
  async #open(body: string): Promise<void> {
    const { url, names, maxMessageBytes = 64 * 1024 * 1024 } = this.#options;
    const { requests } = this.#core;
    const accept = "application/json, text/event-stream";
    const init: Init = { method: "POST", body, headers: { accept, "content-type": "application/json" } };
    const { id, answer } = await requests.during(async (signal) => {
      const response = await requests.make(url, init, signal, false);
      return { id: response.headers.get(names.connection), answer: await readBody(response, maxMessageBytes) };
    });
    if (!answer.ok) throw requests.failure(url, init, `the server's answer: ${answer.message}`);
    if (id === null) throw requests.failure(url, init, `the server's answer has no ${names.connection}`);
    requests.reached = true;
    this.#connection = { [names.connection]: id };
    const { opened } = this.#follow(own);
    void this.#deliver(answer.text, own);
    await Promise.race([opened, this.#core.ended()]);
  }

  /** The stream of this name, which is opened if it is not. */
  #follow(stream: string): Followed {
    const known = this.#streams.get(stream);
    if (known !== undefined) return known;
    const { url, maxMessageBytes: maxChars = 64 * 1024 * 1024, silenceMs = 60_000 } = this.#options;
    let onOpen = (): void => {};
    const opened = new Promise<void>((resolve) => (onOpen = resolve));
    const onMessage = (data: string): void | Promise<void> => this.#deliver(data, stream);
    const headers = this.#headersOf(stream);
    const events = new EventStream(this.#core.requests, { url, headers, maxChars, silenceMs, onOpen, onMessage });
    const followed = { events, opened, abort: new AbortController() };
    this.#streams.set(stream, followed);
    void this.#core.follow(events, followed.abort.signal, () => this.#lost(stream, events));
    return followed;
  }

  /** Why a lost stream ends the transport; `undefined` when nothing is lost with it. */
  #lost(stream: string, events: EventStream): WireError | undefined {
    if (events.isNumbered || !this.#options.routes.awaits(stream)) return undefined;
    const name = stream === own ? "of the connection" : `"${stream}"`;
    return new WireError("closed", `the event stream ${name} was lost, and an answer may be lost with it`);
  }

  #deliver(data: string, stream: string): void | Promise<void> {
    return this.#core.deliver(data, (value) => {
      const { opens, ends } = this.#options.routes.incoming(value, stream);
      if (opens !== undefined) this.#follow(opens);
      if (ends === undefined) return;
      this.#streams.get(ends)?.abort.abort();
      this.#streams.delete(ends);
    });
  }

  #headersOf(stream: string): Readonly<Record<string, string>> {
    return { ...this.#connection, ...(stream === own ? {} : { [this.#options.names.stream]: stream }) };
  }
}
