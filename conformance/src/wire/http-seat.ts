import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { ByteExtras } from "./byte-link.js";
import { faultyWriter } from "./faults.js";
import type { HttpPaths } from "./http.js";
import type { Ended, Link, OpenOptions } from "./link.js";
import type { Seat } from "./seat.js";

/** One request of a client. */
export interface ReceivedRequest {
  readonly method: string;
  /** `post` and `stream` are the protocol's two paths. */
  readonly at: "post" | "stream" | "elsewhere";
  readonly path: string;
  readonly clientId: string | null;
  readonly headers: IncomingMessage["headers"];
}

/** Operations for cases about clients on HTTP: the `extras` of such a link. `encode` makes one event of a message. */
export interface HttpSeatExtras extends ByteExtras {
  readonly requests: readonly ReceivedRequest[];
  /** Ends the stream, as a network does. */
  dropStream(): void;
}

/**
 * The client posts to a server of the suite, whose address is `{url}`, and gets its messages on a stream of server-sent
 * events.
 */
export function httpSeat(paths: HttpPaths): Seat {
  return {
    transport: "http",
    async prepare(options) {
      let come = (_link: Link): void => {};
      const taken = new Promise<Link>((resolve) => (come = resolve));
      const front = new HttpFront(paths, options, () => come(front.link));
      const server = createServer((request, response) => {
        front.handle(request, response).catch((error: unknown) => {
          options.trace.add({
            kind: "event",
            from: "target",
            name: "http-aborted",
            data: { path: request.url, reason: String(error) },
          });
          response.destroy();
        });
      });
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(0, "127.0.0.1", resolve);
      });
      const { port } = server.address() as { port: number };
      const url = `http://127.0.0.1:${port}`;
      const stop = async (): Promise<void> => {
        front.end("the suite closed the connection");
        server.closeAllConnections();
        if (server.listening) await new Promise((resolve) => server.close(resolve));
      };
      front.stop = stop;
      return { agent: { url }, variables: { url }, taken, close: stop };
    },
  };
}

class HttpFront {
  readonly link: Link;
  stop: () => Promise<void> = async () => {};
  readonly #requests: ReceivedRequest[] = [];
  readonly #queue: Uint8Array[] = [];
  readonly #place: { post: string; stream: string; parameter: string };
  #stream: ServerResponse | undefined;
  #finish: (ended: Ended) => void = () => {};

  readonly #options: OpenOptions;
  readonly #come: () => void;

  constructor(paths: HttpPaths, options: OpenOptions, come: () => void) {
    this.#options = options;
    this.#come = come;

    const [post, stream] = [paths.post("x"), paths.stream("x")].map((path) => new URL(path, "http://localhost")) as [
      URL,
      URL,
    ];
    this.#place = { post: post.pathname, stream: stream.pathname, parameter: [...post.searchParams.keys()][0] ?? "" };
    const { trace, faults } = options;
    const out = faultyWriter(
      (bytes) => this.#write(bytes),
      () => this.#stream?.end(),
      faults,
    );
    const extras: HttpSeatExtras = {
      requests: this.#requests,
      encode: (message) => Buffer.from(`data: ${JSON.stringify(message)}\n\n`),
      dropStream: () => this.#stream?.destroy(),
    };
    this.link = {
      trace,
      transport: "http",
      send(message) {
        trace.add({ kind: "message", from: "suite", message });
        out.write(extras.encode(message));
      },
      sendBytes: (bytes) => out.write(Buffer.from(bytes)),
      halfClose: () => {
        trace.add({ kind: "event", from: "suite", name: "half-close" });
        void this.stop();
      },
      close: () => this.stop(),
      ended: new Promise((resolve) => (this.#finish = resolve)),
      extras,
    };
  }

  end(reason: string): void {
    this.#finish({ reason });
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", headers, url = "/" } = request;
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const at = pathname === this.#place.post ? "post" : pathname === this.#place.stream ? "stream" : "elsewhere";
    const clientId = searchParams.get(this.#place.parameter);
    this.#requests.push({ method, at, path: url, clientId, headers });
    this.#options.trace.add({ kind: "event", from: "target", name: "http-request", data: { method, path: url } });
    this.#come();
    const status = await this.#answer(request, response, at, clientId);
    this.#options.trace.add({
      kind: "event",
      from: "suite",
      name: "http-response",
      data: { method, path: url, status },
    });
    if (at !== "stream" || status !== 200) response.writeHead(status).end();
  }

  /** Takes a request; the status is what it is answered with. */
  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    at: ReceivedRequest["at"],
    clientId: string | null,
  ): Promise<number> {
    if (at === "elsewhere") return 404;
    if (at === "stream" ? request.method !== "GET" : request.method !== "POST") return 405;
    if (clientId === null || clientId.trim() === "") return 400;
    if (at === "stream") {
      this.#attach(response);
      return 200;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return this.#take(Buffer.concat(chunks));
  }

  #take(body: Buffer): number {
    const { trace } = this.#options;
    const text = body.toString("utf8");
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      trace.add({
        kind: "malformed",
        from: "target",
        problem: "not a JSON message (body of a POST)",
        excerpt: text.slice(0, 400),
      });
      return 400;
    }
    trace.add({ kind: "message", from: "target", message, frame: { framing: "post", size: body.length } });
    return typeof message === "object" && message !== null && "method" in message ? 202 : 204;
  }

  /** A newer stream takes over from an older one. */
  #attach(response: ServerResponse): void {
    this.#stream?.end();
    this.#stream = response;
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      connection: "keep-alive",
    });
    response.write(": connected\n\n");
    response.once("close", () => {
      this.#options.trace.add({ kind: "event", from: "target", name: "sse-end" });
      if (this.#stream === response) this.#stream = undefined;
    });
    for (const bytes of this.#queue.splice(0)) this.#write(bytes);
  }

  #write(bytes: Uint8Array): void {
    if (this.#stream === undefined) return void this.#queue.push(bytes);
    this.#options.trace.add({ kind: "bytes", from: "suite", bytes });
    this.#stream.write(bytes);
  }
}
