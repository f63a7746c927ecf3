import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Anything that answers a `Request` with a `Response`. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** Where and within which limits an HTTP server listens. */
export interface ListenOptions {
  /** Default 127.0.0.1: this machine only. */
  host?: string | undefined;
  /** Default 0: any free port. */
  port?: number | undefined;
  /** Open connections. Default 1,024; one more is turned away. */
  maxConnections?: number | undefined;
  /** Milliseconds that a caller has for its headers. Default 10,000. */
  headersTimeoutMs?: number | undefined;
  /** Milliseconds that a caller has for its whole request. Default 30,000. */
  requestTimeoutMs?: number | undefined;
  /** Bytes of a request's headers. Default 16 KiB. */
  maxHeaderBytes?: number | undefined;
}

/** A listening HTTP server. */
export interface HttpListener {
  /** Where it listens, such as `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly port: number;
  /** Stops listening and ends every connection. */
  close(): Promise<void>;
}

/** Fits a fetch-style handler into an existing `node:http` server, as its request listener. */
export function nodeListener(handler: FetchHandler): (request: IncomingMessage, response: ServerResponse) => void {
  return (incoming, outgoing) => {
    void handler(toRequest(incoming, outgoing))
      .then((response) => writeResponse(response, outgoing))
      .catch(() => outgoing.destroy()); // the caller went away, or the handler broke: there is nobody to tell more
  };
}

/** Serves a fetch-style handler on this machine, with limits against callers that are slow on purpose. */
export async function listenHttp(handler: FetchHandler, options: ListenOptions = {}): Promise<HttpListener> {
  const { host = "127.0.0.1", port = 0, headersTimeoutMs = 10_000, requestTimeoutMs = 30_000, maxHeaderBytes = 16 * 1024 } = options;
  const limits = {
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    maxHeaderSize: maxHeaderBytes,
    connectionsCheckingInterval: Math.max(1, Math.min(headersTimeoutMs, requestTimeoutMs) / 4),
  };
  const server = createServer(limits, nodeListener(handler));
  server.maxConnections = options.maxConnections ?? 1024;
  server.listen(port, host);
  await once(server, "listening");
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function toRequest(incoming: IncomingMessage, outgoing: ServerResponse): Request {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const headers = new Headers();
  for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2) headers.append(incoming.rawHeaders[i] as string, incoming.rawHeaders[i + 1] as string);
  const method = incoming.method ?? "GET";
  const hasBody = method !== "GET" && method !== "HEAD";
  const body = hasBody ? { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: "half" } : {};
  return new Request(new URL(incoming.url ?? "/", "http://localhost"), { method, headers, signal: gone.signal, ...body });
}

async function writeResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  if (response.body === null) return void outgoing.end();
  await pipeline(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]), outgoing);
}
