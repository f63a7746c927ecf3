import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isObject } from "@editwire/core";
import { wait } from "../core/talk/time.js";
import type { Ended, Link, OpenOptions } from "./link.js";
import type { Seat } from "./seat.js";
import type { StreamableHeaders } from "./streamable.js";

/** Where a client of the suite posts to. */
export interface StreamableSeatOptions extends StreamableHeaders {
  readonly path: string;
}

/**
 * The client posts to one endpoint of the suite, whose address is `{url}`. The answer to `initialize` is in the
 * response; all other messages come on streams of server-sent events, one for the connection and one for each session.
 */
export function streamableSeat(options: StreamableSeatOptions): Seat {
  return {
    transport: "streamable",
    async prepare(open) {
      let come = (_link: Link): void => {};
      const taken = new Promise<Link>((resolve) => (come = resolve));
      const front = new StreamableFront(options, open, () => come(front.link));
      const server = createServer((request, response) => void front.handle(request, response));
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(0, "127.0.0.1", resolve);
      });
      const { port } = server.address() as { port: number };
      const url = `http://127.0.0.1:${port}${options.path}`;
      const close = async (): Promise<void> => {
        front.end("the suite closed the connection");
        server.closeAllConnections();
        if (server.listening) await new Promise((resolve) => server.close(resolve));
      };
      front.stop = close;
      return { agent: { url }, variables: { url }, taken, close };
    },
  };
}

/** One request of a client. */
export interface SeatRequest {
  readonly method: string;
  readonly headers: IncomingMessage["headers"];
  /** The message of a POST. */
  readonly message?: unknown;
}

/** Operations for cases about clients on Streamable HTTP: the `extras` of such a link. */
export interface StreamableSeatExtras {
  /** The id that the answer to `initialize` gave the connection. */
  readonly connectionId: string;
  /** The cookie that the answer to `initialize` sets, as `name=value`. */
  readonly cookie: string;
  readonly requests: readonly SeatRequest[];
  /** Refuses the next request that fits with a status. Resolves when it came. */
  refuse(status: number, fits: (request: SeatRequest) => boolean): Promise<void>;
  /** Whether the client ends its connection with a DELETE within some milliseconds. */
  left(ms: number): Promise<boolean>;
}

/** A stream of events, which holds what is sent before it is opened. */
interface Stream {
  readonly queue: string[];
  response: ServerResponse | undefined;
}

const FIRST = "initialize";

class StreamableFront {
  readonly link: Link;
  stop: () => Promise<void> = async () => {};
  readonly #options: StreamableSeatOptions;
  readonly #open: OpenOptions;
  readonly #come: () => void;
  readonly #connectionId = randomUUID();
  readonly #streams = new Map<string, Stream>();
  /** The streams that requests of the client are answered on, by the id of the request. */
  readonly #asked = new Map<string, string>();
  /** The sessions that the client knows; it has no streams for others. */
  readonly #sessions = new Set<unknown>();
  readonly #cookie: string;
  /** The response that the answer to `initialize` goes into. */
  #first: { readonly id: string; readonly response: ServerResponse } | undefined;
  readonly #requests: SeatRequest[] = [];
  #refusal: { readonly status: number; fits(request: SeatRequest): boolean; come(): void } | undefined;
  #leave = (): void => {};
  #finish: (ended: Ended) => void = () => {};

  constructor(options: StreamableSeatOptions, open: OpenOptions, come: () => void) {
    this.#options = options;
    this.#open = open;
    this.#come = come;
    const { trace } = open;
    const left = new Promise<boolean>((resolve) => (this.#leave = () => resolve(true)));
    const extras: StreamableSeatExtras = {
      connectionId: this.#connectionId,
      cookie: `conformance-affinity=${this.#connectionId}`,
      requests: this.#requests,
      refuse: (status, fits) => new Promise((come) => (this.#refusal = { status, fits, come })),
      left: (ms) => Promise.race([left, wait(ms).then(() => false)]),
    };
    this.#cookie = extras.cookie;
    this.link = {
      extras,
      trace,
      transport: "streamable",
      send: (message) => {
        trace.add({ kind: "message", from: "suite", message });
        this.#send(message);
      },
      sendBytes: (bytes) => this.#event("", Buffer.from(bytes).toString("utf8")),
      halfClose: () => void this.stop(),
      close: () => this.stop(),
      ended: new Promise((resolve) => (this.#finish = resolve)),
    };
  }

  end(reason: string): void {
    this.#finish({ reason });
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", headers, url: path = "/" } = request;
    const text = await bodyOf(request);
    this.#open.trace.add({ kind: "event", from: "target", name: "http-request", data: { method, path } });
    this.#come();
    const taken: SeatRequest = { method, headers, ...(method === "POST" && { message: parsed(text) }) };
    this.#requests.push(taken);
    const refusal = this.#refusal;
    if (refusal?.fits(taken) === true) {
      this.#refusal = undefined;
      response.writeHead(refusal.status).end();
      return refusal.come();
    }
    const named = headers[this.#options.connection.toLowerCase()];
    const session = headers[this.#options.session.toLowerCase()];
    const stream = typeof session === "string" ? decodeURI(session) : "";
    if (new URL(path, "http://localhost").pathname !== this.#options.path) return void response.writeHead(404).end();
    if (method === "POST") return this.#post(text, { named, stream }, response);
    if (named !== this.#connectionId) return void response.writeHead(named === undefined ? 400 : 404).end();
    if (method === "GET") return this.#attach(stream, response);
    response.writeHead(method === "DELETE" ? 202 : 405).end();
    if (method !== "DELETE") return;
    this.#leave();
    this.end("the client ended the connection");
  }

  #post(text: string, from: { named: unknown; stream: string }, response: ServerResponse): void {
    const message = parsed(text);
    if (message === undefined) {
      const problem = "not a JSON message (body of a POST)";
      this.#open.trace.add({ kind: "malformed", from: "target", problem, excerpt: text.slice(0, 400) });
      return void response.writeHead(400).end();
    }
    const { method, params, id } = isObject(message) ? message : {};
    if (isObject(params)) this.#sessions.add(params["sessionId"]);
    const opens = method === FIRST && from.named === undefined && this.#first === undefined;
    if (!opens && from.named !== this.#connectionId)
      return void response.writeHead(from.named === undefined ? 400 : 404).end();
    if (opens) this.#first = { id: JSON.stringify(id), response };
    else response.writeHead(202).end();
    if (method !== undefined && id !== undefined) this.#asked.set(JSON.stringify(id), from.stream);
    const frame = { framing: "post", size: Buffer.byteLength(text) };
    this.#open.trace.add({ kind: "message", from: "target", message, frame });
  }

  #send(message: unknown): void {
    const { method, params, id, result } = isObject(message) ? message : {};
    const text = JSON.stringify(message);
    const key = JSON.stringify(id);
    if (method === undefined && this.#first?.id === key && !this.#first.response.writableEnded) {
      const headers = {
        "content-type": "application/json",
        [this.#options.connection]: this.#connectionId,
        "set-cookie": `${this.#cookie}; Path=/; HttpOnly`,
      };
      return void this.#first.response.writeHead(200, headers).end(text);
    }
    if (isObject(result)) this.#sessions.add(result["sessionId"]);
    const sessionId = isObject(params) ? params["sessionId"] : undefined;
    const named = typeof sessionId === "string" && this.#sessions.has(sessionId) ? sessionId : "";
    this.#event(method === undefined ? (this.#asked.get(key) ?? "") : named, text);
  }

  #streamOf(name: string): Stream {
    const stream = this.#streams.get(name) ?? { queue: [], response: undefined };
    this.#streams.set(name, stream);
    return stream;
  }

  #event(name: string, text: string): void {
    const { queue, response } = this.#streamOf(name);
    if (response === undefined) return void queue.push(text);
    const event = `data: ${text}\n\n`;
    this.#open.trace.add({ kind: "bytes", from: "suite", bytes: Buffer.from(event) });
    response.write(event);
  }

  #attach(name: string, response: ServerResponse): void {
    const stream = this.#streamOf(name);
    if (stream.response !== undefined) return void response.writeHead(409).end();
    stream.response = response;
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    response.flushHeaders();
    response.once("close", () => {
      if (stream.response === response) stream.response = undefined;
    });
    for (const text of stream.queue.splice(0)) this.#event(name, text);
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
