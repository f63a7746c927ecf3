import { type IncomingMessage, request as send } from "node:http";
import { ErrorCode, isObject } from "@editwire/core";
import { wait, within } from "../core/talk/time.js";
import type { Trace } from "../trace/trace.js";
import { Cookies } from "./cookies.js";
import { type Ended, type Link, type OpenOptions, type Target, TargetError } from "./link.js";
import { mediaType } from "./media-type.js";
import { SseCutter } from "./sse.js";

/** The headers that name a connection and a session on one endpoint. */
export interface StreamableHeaders {
  readonly connection: string;
  readonly session: string;
}

/** How an endpoint for Streamable HTTP is reached. */
export interface StreamableOptions {
  readonly url: string;
  readonly headers: StreamableHeaders;
}

/** The answer to one request of HTTP. */
export interface StreamableAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** Operations for cases about Streamable HTTP besides sending messages: the `extras` of such a link. */
export interface StreamableExtras {
  /** The id of the link's connection, once it has one. */
  connectionId(): string | undefined;
  /**
   * One request with just these headers, and the cookies of the connection. Its answer is not read as a message; a
   * stream of events is not waited for.
   */
  request(method: string, headers: Readonly<Record<string, string>>, body?: string): Promise<StreamableAnswer>;
  /** How many of the link's own streams are open. */
  openStreams(): number;
  /** Opens a stream, and gives the status and whether it closes within some milliseconds. */
  stream(
    headers: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; closed(ms: number): Promise<boolean> }>;
}

const ANSWER_MS = 10_000;
const CREATED = 200;
const REFUSED = 400;
const BAD_REQUEST = 400;
const NOT_FOUND = 404;

/**
 * A target behind one endpoint: the first message is posted and answered in the response, which names the connection.
 * The answers to all others come on streams of server-sent events, one for the connection and one for each session.
 * Every `open` is a connection of its own.
 */
export function streamableTarget({ url, headers }: StreamableOptions): Target {
  return {
    transport: "streamable",
    description: url,
    open: async (options) => {
      if (!URL.canParse(url)) throw new TargetError(`expected a URL, received ${url}`);
      return new StreamableLink(new URL(url), headers, options);
    },
  };
}

class StreamableLink implements Link {
  readonly transport = "streamable";
  readonly trace: Trace;
  readonly ended: Promise<Ended>;
  readonly extras: StreamableExtras = {
    connectionId: () => this.#connectionId,
    request: async (method, headers, body) => {
      const response = await this.#begin(method, headers, body);
      const { statusCode: status = 0, headers: answered } = response;
      const isStream = mediaType(answered["content-type"]) === "text/event-stream";
      const chunks: Buffer[] = [];
      if (isStream) response.destroy();
      else for await (const chunk of response) chunks.push(chunk as Buffer);
      this.trace.add({ kind: "event", from: "target", name: "http-response", data: { method, status } });
      return { status, headers: answered, body: Buffer.concat(chunks).toString("utf8") };
    },
    openStreams: () => this.#read.size,
    stream: async (headers) => {
      const response = await this.#begin("GET", headers);
      const over = new Promise<boolean>((resolve) => response.once("close", () => resolve(true)));
      response.on("error", () => {}).resume();
      this.#open.add(response);
      return {
        status: response.statusCode ?? 0,
        closed: (ms) => Promise.race([over, wait(ms).then(() => false)]),
      };
    },
  };
  readonly #url: URL;
  readonly #names: StreamableHeaders;
  #connectionId: string | undefined;
  readonly #streams = new Map<string, Promise<void>>();
  readonly #open = new Set<IncomingMessage>();
  /** Those whose messages are read. */
  readonly #read = new Set<IncomingMessage>();
  readonly #cookies = new Cookies();
  /** The sessions that the target's requests are about, by id: an answer goes where its request came from. */
  readonly #asked = new Map<string, string>();
  #tail: Promise<unknown> = Promise.resolve();
  #closed = false;
  #finish: (ended: Ended) => void = () => {};

  constructor(url: URL, names: StreamableHeaders, { trace }: OpenOptions) {
    this.#url = url;
    this.#names = names;
    this.trace = trace;
    this.ended = new Promise((resolve) => (this.#finish = resolve));
  }

  send(message: unknown): void {
    this.trace.add({ kind: "message", from: "suite", message });
    this.#later(() => this.#post(message, JSON.stringify(message)));
  }

  sendBytes(bytes: Uint8Array | string): void {
    this.#later(() => this.#post(undefined, bytes));
  }

  halfClose(): void {
    this.trace.add({ kind: "event", from: "suite", name: "half-close" });
    void this.close();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await within(
      this.#tail.catch(() => {}),
      ANSWER_MS,
    );
    if (this.#connectionId !== undefined) await this.#request("DELETE", {}).catch(() => {});
    for (const stream of this.#open) stream.destroy();
    this.#finish({ reason: "the suite closed the connection" });
  }

  /** One after another: the order of messages is the order of their requests. */
  #later(action: () => Promise<void>): void {
    this.#tail = this.#tail
      .then(() => (this.#closed ? undefined : action()))
      .catch((error: unknown) =>
        this.#finish({ reason: `a POST failed: ${error instanceof Error ? error.message : String(error)}` }),
      );
  }

  async #post(message: unknown, body: string | Uint8Array): Promise<void> {
    const sessionId = this.#sessionOf(message);
    if (sessionId !== undefined) await this.#stream(sessionId);
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const posted = this.#connectionId === undefined ? undefined : kindOf(message);
    const answer = await this.#request("POST", { ...headers, ...this.#named(sessionId) }, body, posted);
    const connectionId = answer.headers[this.#names.connection.toLowerCase()];
    if (answer.status === CREATED && typeof connectionId === "string" && this.#connectionId === undefined) {
      this.#connectionId = connectionId;
      await this.#stream("");
    }
    const told = answer.body.trim() !== "" && this.#take(answer.body, "response", "", answer.status);
    if (!told && answer.status >= REFUSED) this.#refused(message, answer.status);
  }

  /** A request that is refused by a status alone has no other answer, so the status stands for the error. */
  #refused(message: unknown, status: number): void {
    if (!isObject(message) || message["id"] === undefined || message["method"] === undefined) return;
    const code = status === BAD_REQUEST || status === NOT_FOUND ? ErrorCode.InvalidParams : ErrorCode.InternalError;
    const error = { code, message: `HTTP ${status}` };
    const frame = { framing: "status", size: 0 } as const;
    this.trace.add({ kind: "message", from: "target", message: { jsonrpc: "2.0", id: message["id"], error }, frame });
  }

  /** The session that a message is about, if it names one or answers a request of one. */
  #sessionOf(message: unknown): string | undefined {
    if (!isObject(message) || this.#connectionId === undefined) return undefined;
    const { params, method, id } = message;
    const named = isObject(params) ? params["sessionId"] : undefined;
    if (typeof method === "string") return typeof named === "string" && named !== "" ? named : undefined;
    return this.#asked.get(JSON.stringify(id));
  }

  #named(sessionId?: string): Record<string, string> {
    const { connection, session } = this.#names;
    return {
      ...(this.#connectionId !== undefined && { [connection]: this.#connectionId }),
      ...(sessionId !== undefined && sessionId !== "" && { [session]: encodeURI(sessionId) }),
    };
  }

  /** Opens the stream of a session, or of the connection; once. */
  #stream(sessionId: string): Promise<void> {
    const known = this.#streams.get(sessionId);
    if (known !== undefined) return known;
    const opening = this.#openStream(sessionId);
    this.#streams.set(sessionId, opening);
    return opening;
  }

  async #openStream(sessionId: string): Promise<void> {
    const headers = { accept: "text/event-stream", ...this.#named(sessionId) };
    this.trace.add({ kind: "event", from: "suite", name: "sse-open", data: { sessionId } });
    const stream = await this.#begin("GET", headers);
    const { statusCode: status } = stream;
    this.trace.add({ kind: "event", from: "target", name: "sse-response", data: { status, sessionId } });
    if (status !== CREATED) return void stream.resume();
    this.#open.add(stream);
    this.#read.add(stream);
    const cutter = new SseCutter();
    stream.on("error", () => {});
    stream.on("data", (bytes: Buffer) => {
      this.trace.add({ kind: "bytes", from: "target", bytes });
      for (const part of cutter.push(bytes)) if (part.kind === "event") this.#take(part.data, "sse", sessionId);
    });
    stream.once("close", () => {
      this.#open.delete(stream);
      this.#read.delete(stream);
      if (!this.#closed && sessionId === "") this.#finish({ reason: "the target ended the stream" });
    });
  }

  /** Records a message. False for a body that is not a message, such as the text of an HTTP error. */
  #take(text: string, framing: "response" | "sse", sessionId: string, status?: number): boolean {
    const message = parsed(text);
    if (framing === "response" && !(isObject(message) && message["jsonrpc"] !== undefined)) return false;
    if (message === undefined) {
      this.trace.add({
        kind: "malformed",
        from: "target",
        problem: "not a JSON message (event)",
        excerpt: text.slice(0, 400),
      });
      return true;
    }
    if (isObject(message) && message["id"] !== undefined && "method" in message)
      this.#asked.set(JSON.stringify(message["id"]), sessionId);
    const frame = { framing, size: Buffer.byteLength(text), detail: String(status ?? sessionId) };
    this.trace.add({ kind: "message", from: "target", message, frame });
    return true;
  }

  async #request(method: string, headers: Record<string, string>, body?: string | Uint8Array, posted?: string) {
    const size = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    this.trace.add({ kind: "event", from: "suite", name: "http-request", data: { method } });
    const response = await this.#begin(method, { ...this.#named(), ...headers, ...size }, body);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const status = response.statusCode ?? 0;
    this.trace.add({ kind: "event", from: "target", name: "http-response", data: { method, status, posted } });
    return { status, headers: response.headers, body: Buffer.concat(chunks).toString("utf8") };
  }

  #begin(method: string, headers: Record<string, string>, body?: string | Uint8Array): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const call = send(this.#url, { method, agent: false, headers: { ...this.#cookies.header(), ...headers } });
      call.once("response", (response) => {
        this.#cookies.take(response.headers["set-cookie"]);
        resolve(response);
      });
      call.once("error", reject);
      call.end(body);
    });
  }
}

/** The kind of a message, for the trace. */
function kindOf(message: unknown): string | undefined {
  if (!isObject(message)) return undefined;
  if (message["method"] === undefined) return "response";
  return message["id"] === undefined ? "notification" : "request";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
