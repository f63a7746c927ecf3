import { type ClientRequest, type IncomingMessage, request as send } from "node:http";
import { ExpectationError } from "../core/errors.js";
import { alarm, wait } from "../core/talk/time.js";
import type { Trace } from "../trace/trace.js";
import { faultyMessages, type MessageSink } from "./faults.js";
import { type Ended, type Link, type OpenOptions, type Target, TargetError } from "./link.js";
import { SseCutter } from "./sse.js";

/** Where a protocol's messages go over HTTP. */
export interface HttpPaths {
  /** Path and query that take a client's message. */
  post(clientId: string): string;
  /** Path and query of a client's stream. */
  stream(clientId: string): string;
}

/** The answer to one HTTP request. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Operations for cases about HTTP besides sending messages: the `extras` of an HTTP link. */
export interface HttpExtras {
  readonly clientId: string;
  readonly paths: HttpPaths;
  /**
   * One request, recorded. `path` counts from the root of the target. Rejects with an `ExpectationError` when the
   * server does not answer in 10 s, or breaks the connection off.
   */
  request(
    method: string,
    path: string,
    options?: { body?: string | Uint8Array; headers?: Record<string, string> },
  ): Promise<HttpAnswer>;
  /** The request that posts a message, awaited. */
  post(message: unknown, clientId?: string): Promise<HttpAnswer>;
  /**
   * Opens the stream of this link's client, or of another client; once, or again after `closeStream`. The trace records
   * its messages. Rejects like `request`.
   */
  openStream(clientId?: string): Promise<{ status: number; headers: IncomingMessage["headers"] }>;
  closeStream(): void;
}

/** How an HTTP target is reached. */
export interface HttpTargetOptions {
  readonly url: string;
  readonly paths: HttpPaths;
  /** Opens the stream before the first message. Default true. */
  readonly stream?: boolean | undefined;
}

const HEADERS_MS = 2_000;
/** How long the server may take to answer one request of a case. */
const ANSWER_MS = 10_000;
let clients = 0;

/**
 * A target behind HTTP: messages are posted, and come back on a stream of server-sent events. Every `open` is a client
 * of its own.
 */
export function httpTarget({ url, paths, stream = true }: HttpTargetOptions): Target {
  return {
    transport: "http",
    description: url,
    async open(options) {
      const link = new HttpLink(new URL(url), paths, `conformance-${process.pid}-${++clients}`, options);
      if (stream) await link.open();
      return link;
    },
  };
}

class HttpLink implements Link {
  readonly transport = "http";
  readonly ended: Promise<Ended>;
  readonly extras: HttpExtras;
  #current: IncomingMessage | undefined;
  readonly #streams = new Set<IncomingMessage>();
  #tail: Promise<unknown> = Promise.resolve();
  #finish: (ended: Ended) => void = () => {};
  #closed = false;
  readonly trace: Trace;
  /** Posts a message, through the faults of this connection. */
  readonly #write: (body: Uint8Array) => Promise<void>;
  /** The answer to the message that `write` has posted last. */
  #posted: Promise<unknown> = Promise.resolve();
  readonly #calls = new Set<ClientRequest>();

  readonly #base: URL;
  readonly #paths: HttpPaths;
  readonly #clientId: string;

  constructor(base: URL, paths: HttpPaths, clientId: string, { trace, faults }: OpenOptions) {
    this.#base = base;
    this.#paths = paths;
    this.#clientId = clientId;

    this.trace = trace;
    this.#write = faultyMessages({ begin: (size) => this.#begin(size) }, faults);
    this.ended = new Promise((resolve) => (this.#finish = resolve));
    this.extras = {
      clientId,
      paths,
      request: (method, path, { body, headers = {} } = {}) => this.#request(method, path, body, headers),
      post: (message, id = clientId) =>
        this.#request("POST", paths.post(id), JSON.stringify(message), { "content-type": "application/json" }),
      openStream: (id) => this.#openStream(id, ANSWER_MS),
      closeStream: () => void this.#current?.destroy(),
    };
  }

  /**
   * Opens the stream, or rejects with `TargetError`. Waits only a short time for a server that sends no headers before
   * its first message.
   */
  async open(): Promise<void> {
    try {
      const answer = await Promise.race([this.#openStream(), wait(HEADERS_MS)]);
      if (answer !== undefined && answer.status !== 200)
        throw new Error(`the stream was answered with status ${answer.status}`);
    } catch (error) {
      throw new TargetError(
        `cannot reach ${this.#base.href}: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      );
    }
  }

  send(message: unknown): void {
    this.trace.add({ kind: "message", from: "suite", message });
    this.sendBytes(JSON.stringify(message));
  }

  /** One after another: the order of messages is the order of their requests. */
  sendBytes(body: Uint8Array | string): void {
    const post = async (): Promise<void> => {
      if (this.#closed) return;
      await this.#write(Buffer.from(body));
      await this.#posted;
    };
    this.#tail = this.#tail
      .then(post)
      .catch((error: unknown) => this.#end(`a POST failed: ${error instanceof Error ? error.message : String(error)}`));
  }

  halfClose(): void {
    this.trace.add({ kind: "event", from: "suite", name: "half-close" });
    this.#current?.destroy();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const stream of this.#streams) stream.destroy();
    // A message that a fault has left open would be waited for in vain.
    for (const call of this.#calls) call.destroy();
    await this.#tail;
    this.#end("the suite closed the connection");
  }

  #end(reason: string): void {
    this.#finish({ reason });
  }

  #request(
    method: string,
    path: string,
    body: string | Uint8Array | undefined,
    headers: Record<string, string>,
  ): Promise<HttpAnswer> {
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const { call, answer } = this.#call(method, path, bytes?.length, headers);
    this.#calls.add(call);
    call.end(bytes);
    return answered(call, `${method} ${path}`, answer).finally(() => this.#calls.delete(call));
  }

  /** One message, whose bytes are still to come. */
  #begin(size: number): ReturnType<MessageSink["begin"]> {
    const { call, answer } = this.#call("POST", this.#paths.post(this.#clientId), size, {
      "content-type": "application/json",
    });
    this.#calls.add(call);
    let abandoned = false;
    let flushed = Promise.resolve();
    this.#posted = answer
      .catch((error: unknown) => {
        if (!abandoned && !this.#closed) throw error;
      })
      .finally(() => this.#calls.delete(call));
    this.#posted.catch(() => {});
    return {
      piece(bytes, last) {
        flushed = new Promise((resolve) => call.write(bytes, () => resolve()));
        if (last) call.end();
      },
      abandon() {
        abandoned = true;
        // The written bytes go out first; otherwise the server would never receive them.
        void flushed.then(() => call.destroy());
      },
    };
  }

  /** A request whose body is still to be written. */
  #call(
    method: string,
    path: string,
    size: number | undefined,
    headers: Record<string, string>,
  ): { call: ClientRequest; answer: Promise<HttpAnswer> } {
    this.trace.add({ kind: "event", from: "suite", name: "http-request", data: { method, path, bytes: size ?? 0 } });
    const call = send(new URL(path, this.#base), {
      method,
      agent: false,
      headers: { ...headers, ...(size !== undefined && { "content-length": String(size) }) },
    });
    const answer = new Promise<HttpAnswer>((resolve, reject) => {
      call.once("error", reject);
      call.once("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("error", reject);
        response.once("end", () => {
          const result = {
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString("utf8"),
          };
          this.trace.add({
            kind: "event",
            from: "target",
            name: "http-response",
            data: { method, path, status: result.status, body: result.body.slice(0, 400) },
          });
          resolve(result);
        });
      });
    });
    return { call, answer };
  }

  /** Without `limitMs` it waits for the headers until the link is closed. */
  #openStream(
    clientId = this.#clientId,
    limitMs?: number,
  ): Promise<{ status: number; headers: IncomingMessage["headers"] }> {
    const path = this.#paths.stream(clientId);
    this.trace.add({ kind: "event", from: "suite", name: "sse-open", data: { path } });
    const call = send(new URL(path, this.#base), { agent: false, headers: { accept: "text/event-stream" } });
    this.#calls.add(call);
    const answer = new Promise<{ status: number; headers: IncomingMessage["headers"] }>((resolve, reject) => {
      call.once("response", (answer) => {
        this.#calls.delete(call);
        this.#streams.add(answer);
        if (clientId === this.#clientId && answer.statusCode === 200) this.#current = answer;
        this.trace.add({
          kind: "event",
          from: "target",
          name: "sse-response",
          data: { status: answer.statusCode, contentType: answer.headers["content-type"] },
        });
        if (answer.statusCode === 200) this.#read(answer);
        else answer.resume();
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers });
      });
      call.once("error", reject);
      call.end();
    });
    answer.catch(() => this.#calls.delete(call));
    return limitMs === undefined ? answer : answered(call, `GET ${path}`, answer, limitMs);
  }

  #read(stream: IncomingMessage): void {
    const cutter = new SseCutter();
    const { trace } = this;
    stream.on("error", () => {});
    stream.on("data", (bytes: Buffer) => {
      trace.add({ kind: "bytes", from: "target", bytes });
      for (const part of cutter.push(bytes)) {
        if (part.kind === "comment") trace.add({ kind: "event", from: "target", name: "sse-comment", data: part.text });
        else this.#event(part.data, part.fields);
      }
    });
    stream.once("close", () => {
      trace.add({ kind: "event", from: "target", name: "sse-end" });
      if (stream === this.#current && !stream.destroyed && !this.#closed) this.#end("the target ended the stream");
    });
  }

  #event(data: string, fields: readonly string[]): void {
    try {
      const message = JSON.parse(data) as unknown;
      this.trace.add({
        kind: "message",
        from: "target",
        message,
        frame: { framing: "sse", size: Buffer.byteLength(data), detail: fields.join("\n") },
      });
    } catch {
      this.trace.add({
        kind: "malformed",
        from: "target",
        problem: "not a JSON message (server-sent event)",
        excerpt: data.slice(0, 400),
      });
    }
  }
}

/** The answer to a request, as an expectation of a case. The request is given up after `limitMs` milliseconds. */
async function answered<T>(call: ClientRequest, what: string, answer: Promise<T>, limitMs = ANSWER_MS): Promise<T> {
  const expected = `an answer to ${what}`;
  let stop = (): void => {};
  const late = new Promise<never>((_resolve, reject) => {
    stop = alarm(limitMs, () => {
      reject(
        new ExpectationError("timeout", `${what} was not answered within ${limitMs} ms`, {
          expected,
          actual: "nothing",
        }),
      );
      call.destroy();
    });
  });
  try {
    return await Promise.race([answer, late]);
  } catch (error) {
    if (error instanceof ExpectationError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ExpectationError("closed", `${what} was not answered: ${reason}`, { expected, actual: reason });
  } finally {
    stop();
  }
}
