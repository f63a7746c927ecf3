import { once } from "node:events";
import { Agent, createServer, request as httpRequest } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { type FetchHandler, httpServer, type HttpServer, type HttpServerOptions, nodeListener } from "../src/node.js";
import { type HttpClientOptions, httpClientTransport, type Transport } from "../src/index.js";
import { deferred } from "./near-end.js";

/** A server of real connections that can be cut. */
export interface Listening {
  readonly port: number;
  url(path: string, clientId?: string): string;
  /** Destroys every connection; new ones are taken. */
  cut(): void;
  /** Stops listening and destroys every connection. */
  stop(): Promise<void>;
}

/** Listens, on any free port unless one is given. */
export async function listen(
  handler: FetchHandler,
  { port = 0, onSocket = () => {} }: { port?: number; onSocket?(socket: Socket): void } = {},
): Promise<Listening> {
  const sockets = new Set<Socket>();
  const listener = createServer(nodeListener(handler)).listen(port, "127.0.0.1");
  listener.on("connection", (socket) => {
    onSocket(socket);
    sockets.add(socket.once("close", () => sockets.delete(socket)));
  });
  await once(listener, "listening");
  const bound = (listener.address() as AddressInfo).port;
  const cut = (): void => sockets.forEach((socket) => void socket.destroy());
  const stop = async (): Promise<void> => {
    if (!listener.listening) return;
    const closed = once(listener, "close");
    listener.close();
    cut();
    await closed;
  };
  onTestFinished(stop);
  return {
    port: bound,
    url: (path, clientId = "c") => `http://127.0.0.1:${bound}${path}?client_id=${clientId}`,
    cut,
    stop,
  };
}

/** An `httpServer`, and its first client once there is one. */
export function serve(options: Partial<HttpServerOptions> = {}): { server: HttpServer; accepted: Promise<Transport> } {
  const accepted = deferred<Transport>();
  const server = httpServer({
    rpcPath: "/rpc",
    eventsPath: "/sse",
    onClient: accepted.resolve,
    closeTimeoutMs: 20,
    ...options,
  });
  onTestFinished(() => server.close());
  return { server, accepted: accepted.promise };
}

/** A client of such a server. */
export function clientOf({ url }: Pick<Listening, "url">, options: Partial<HttpClientOptions> = {}): Transport {
  return httpClientTransport({ rpc: url("/rpc"), events: url("/sse"), ...options });
}

const agent = new Agent({ keepAlive: true });

/**
 * As much of `fetch` as our client needs, at a fraction of its cost: for tests of the other end that need many POSTs.
 */
export const leanFetch: typeof fetch = (url, { method = "GET", headers = {}, body, signal } = {}) =>
  new Promise((resolve, reject) => {
    const options = { method, headers: headers as Record<string, string>, agent, ...(signal ? { signal } : {}) };
    const request = httpRequest(url as URL, options, (incoming) => {
      incoming.on("error", () => {});
      const { "content-type": type = "", "last-event-id": lastEventId = "" } = incoming.headers;
      const keys = String(incoming.headers["accept-idempotency-key"] ?? "");
      const stream = type.startsWith("text/event-stream");
      if (!stream) incoming.resume();
      resolve(
        new Response(stream ? (Readable.toWeb(incoming) as BodyInit) : null, {
          status: incoming.statusCode ?? 0,
          headers: { "content-type": type, "last-event-id": String(lastEventId), "accept-idempotency-key": keys },
        }),
      );
    });
    request.on("error", reject).end(body);
  });
