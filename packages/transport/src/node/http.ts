import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Duplex, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import type { Diagnostic } from "@editwire/core";
import { WireError } from "@editwire/core/errors";
import { ListenerReports } from "../listening/reports.js";
import { HttpSockets, refuseSocket } from "./http-sockets.js";
import { startTimer } from "@editwire/core/timers";

/** Anything that answers a `Request` with a `Response`. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** Where and within which limits an HTTP server listens. */
export interface ListenOptions {
  /** Default 127.0.0.1: this machine only. */
  host?: string | undefined;
  /** Default 0: any free port. */
  port?: number | undefined;
  /**
   * Open connections. Default 1,024. Half of them is kept for complete requests, and one address may have an eighth
   * with incomplete ones. Past each limit, the oldest connection with an incomplete request is answered 503, then the
   * oldest that waits for its next request; where there is none, the new one is.
   */
  maxConnections?: number | undefined;
  /** Milliseconds that a caller has for its headers. Default 10,000. */
  headersTimeoutMs?: number | undefined;
  /** Milliseconds that a caller has for its whole request. Default 30,000. */
  requestTimeoutMs?: number | undefined;
  /** Bytes of a request's headers. Default 16 KiB; more are answered 431. */
  maxHeaderBytes?: number | undefined;
  /** Called when connections had to leave, once for each kind in a second, then with the number of the others. */
  onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
  /** Milliseconds that answers under way get to end when the listener is closed. Default 2,000. */
  closeTimeoutMs?: number | undefined;
  /**
   * Takes upgrades, such as those of WebSockets, and ends their connections itself before the listener is closed. One
   * for which it returns false is answered 404. Default: a request to upgrade is an ordinary request.
   */
  upgrade?: ((request: IncomingMessage, socket: Duplex, head: Buffer) => boolean) | undefined;
}

/** A listening HTTP server. */
export interface HttpListener {
  /** Where it listens, such as `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly port: number;
  /** Stops listening, lets answers under way end, then ends every connection. */
  close(): Promise<void>;
}

/**
 * Fits a fetch-style handler into an existing `node:http` server, as its request listener. Where a framework consumed
 * the body already, as `express.json()` does, the handler gets what it left in `request.body`, as JSON unless it is a
 * text or bytes.
 */
export function nodeListener(handler: FetchHandler): (request: IncomingMessage, response: ServerResponse) => void {
  return (incoming, outgoing) => {
    outgoing.on("error", () => {}); // the caller is gone: there is no one to report it to
    void answer(handler, incoming, outgoing).catch(() => outgoing.destroy());
  };
}

/**
 * Serves a fetch-style handler, on this machine unless `host` says otherwise. Throws `not_connected` where it cannot
 * listen.
 */
export async function listenHttp(handler: FetchHandler, options: ListenOptions = {}): Promise<HttpListener> {
  const {
    host = "127.0.0.1",
    port = 0,
    requestTimeoutMs = 30_000,
    maxHeaderBytes = 16 * 1024,
    closeTimeoutMs = 2_000,
  } = options;
  const headersTimeout = Math.min(options.headersTimeoutMs ?? 10_000, requestTimeoutMs);
  const { createServer } = await import("node:http"); // it takes longer to load than the rest of this entry point
  const server = createServer(
    {
      headersTimeout,
      requestTimeout: requestTimeoutMs,
      maxHeaderSize: maxHeaderBytes,
      connectionsCheckingInterval: Math.max(1, Math.ceil(headersTimeout / 4)),
    },
    nodeListener(handler),
  );
  const reports = new ListenerReports(options.onDiagnostic);
  const sockets = new HttpSockets(server, options.maxConnections ?? 1024, reports);
  if (options.upgrade !== undefined) server.on("upgrade", upgradeListener(options.upgrade, sockets));
  server.listen(port, host);
  const url = (bound: number): string => `http://${host.includes(":") ? `[${host}]` : host}:${bound}`;
  await once(server, "listening").catch((cause: unknown) => {
    throw new WireError("not_connected", `cannot listen on ${url(port)}: ${(cause as Error).message}`, { cause });
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: url(bound),
    port: bound,
    async close() {
      const closed = once(server, "close");
      server.keepAliveTimeout = 1; // connections that become idle from now on close immediately
      server.close();
      const stop = startTimer(closeTimeoutMs, () => server.closeAllConnections());
      await closed;
      stop();
    },
  };
}

/** The handlers of an application that serves over HTTP. */
export interface Served {
  /** Answers requests. Default: 404. */
  fetch?: FetchHandler | undefined;
  /** As in `ListenOptions`. */
  upgrade?: ListenOptions["upgrade"];
  /** Ends all that it opened. */
  close(): Promise<void>;
}

/** Connections beyond those that are upgraded. At the limit, a caller gets an answer such as 503. */
const spareConnections = 128;

/**
 * As `listenHttp`, for a server that must be closed together with its listener. A handler of upgrades counts them
 * itself, so `maxConnections` is for them; there may be 128 more connections.
 */
export async function listenServed(
  served: Served,
  options: Omit<ListenOptions, "upgrade"> = {},
): Promise<HttpListener> {
  const { fetch = () => new Response(null, { status: 404 }), upgrade } = served;
  const maxConnections = (options.maxConnections ?? 1_024) + (upgrade === undefined ? 0 : spareConnections);
  const listener = await listenHttp(fetch, { ...options, upgrade, maxConnections });
  return {
    ...listener,
    async close() {
      await served.close();
      await listener.close();
    },
  };
}

function upgradeListener(upgrade: NonNullable<ListenOptions["upgrade"]>, sockets: HttpSockets) {
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    sockets.upgraded(socket as Socket);
    if (upgrade(request, socket, head)) return;
    refuseSocket(socket, "404 Not Found");
  };
}

async function answer(handler: FetchHandler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const request = toRequest(incoming);
  const response = request === undefined ? new Response(null, { status: 400 }) : await handler(request);
  outgoing.setHeaders(response.headers).writeHead(response.status);
  if (response.body === null) outgoing.end();
  else await writeBody(response.body as ReadableStream<Uint8Array>, outgoing);
  incoming.resume(); // what the handler did not read would block the connection
}

/** The same as a `Request`; undefined for what cannot be one, such as the method TRACE or the target `*`. */
function toRequest(incoming: IncomingMessage): Request | undefined {
  const { method = "GET", url = "/", rawHeaders } = incoming;
  // With a fixed origin in front of it, a target such as `//elsewhere/path` stays a path.
  const target = url.startsWith("/") ? `http://localhost${url}` : url;
  try {
    const headers = new Headers();
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? "", rawHeaders[i + 1] ?? "");
    if (method === "GET" || method === "HEAD") return new Request(target, { method, headers });
    const parsed = parsedBody(incoming);
    if (parsed === undefined) return new Request(target, { method, headers, ...streamedBody(incoming) });
    for (const name of ["content-length", "content-encoding", "transfer-encoding"]) headers.delete(name);
    return new Request(target, { method, headers, body: parsed });
  } catch {
    return undefined;
  }
}

/** A body that is not read to its end must not destroy the connection: the answer must still be written. */
const streamedBody = (incoming: IncomingMessage): object => ({
  body: incoming.iterator({ destroyOnReturn: false }),
  duplex: "half",
});

/** The body that a framework has parsed; undefined for a body that is still to be read. */
function parsedBody(incoming: IncomingMessage & { body?: unknown }): string | Uint8Array<ArrayBuffer> | undefined {
  const { body } = incoming;
  if (body === undefined || !incoming.readableDidRead) return undefined;
  return typeof body === "string" || body instanceof Uint8Array ? (body as string) : JSON.stringify(body);
}

/** Writes at the pace of the connection. The stream is cancelled when that is lost. */
async function writeBody(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed) return body.cancel(); // from Node 24 on, a pipeline into it would not cancel the stream
  outgoing.flushHeaders();
  await pipeline(Readable.fromWeb(body), outgoing);
}
