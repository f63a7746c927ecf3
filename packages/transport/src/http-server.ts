import { createGuard, type GuardOptions } from "./guard.js";
import { readBody } from "./http-body.js";
import { HttpSession } from "./http-session.js";
import type { Transport } from "./transport.js";

/** How messages are served over HTTP: requests in, an event stream out. */
export interface HttpServerOptions extends GuardOptions {
  /** Path that takes a client's messages by POST, such as `/acp/rpc`. */
  rpcPath: string;
  /** Path that gives a client's event stream by GET, such as `/acp/sse`. */
  eventsPath: string;
  /** Takes each new client, whose `client_id` is the query parameter that both paths share. Start its transport at once. */
  onClient(transport: Transport, clientId: string): void;
  /** The HTTP status that answers a message: 2xx takes it, 4xx refuses it. Default 202 for every JSON value. */
  statusOf?: ((message: unknown) => number) | undefined;
  /** Bytes of one POST. Default 4 MiB; a larger one is answered 413. */
  maxBodyBytes?: number | undefined;
  /** Clients at a time. Default 1,024; one more is answered 503. */
  maxClients?: number | undefined;
  /** Bytes that wait for a client's event stream. Default 16 MiB; past them `send` throws `overloaded`. */
  maxQueuedBytes?: number | undefined;
  /** Bytes that are kept after they were sent, for a stream that comes back with `Last-Event-ID`. Default 4 MiB. */
  maxReplayBytes?: number | undefined;
  /** Milliseconds without a stream and a POST after which a client is forgotten. Default 300,000. */
  idleMs?: number | undefined;
  /** Milliseconds between comments on a silent event stream. Default 5,000. */
  keepAliveMs?: number | undefined;
}

/** A fetch-style server; it fits any host that speaks `Request` and `Response`. */
export interface HttpServer {
  /** Answers one request. It never rejects. */
  fetch(request: Request): Promise<Response>;
  /** Closes every client. */
  close(): Promise<void>;
}

const maxClientIdLength = 256;

/** Serves messages over HTTP and server-sent events. Nothing is read of a request that the guard turns away. */
export function httpServer(options: HttpServerOptions): HttpServer {
  const { rpcPath, eventsPath, statusOf = () => 202, origins = [], maxBodyBytes = 4 * 1024 * 1024, maxClients = 1024 } = options;
  const { maxQueuedBytes = 16 * 1024 * 1024, maxReplayBytes = 4 * 1024 * 1024, idleMs = 300_000, keepAliveMs = 5_000 } = options;
  const guard = createGuard(options);
  const sessions = new Map<string, HttpSession>();

  const sessionOf = (clientId: string): HttpSession | undefined => {
    const known = sessions.get(clientId);
    if (known !== undefined || sessions.size >= maxClients) return known;
    const session = new HttpSession({ maxQueuedBytes, maxReplayBytes, idleMs, keepAliveMs }, () => sessions.delete(clientId));
    sessions.set(clientId, session);
    options.onClient(session, clientId);
    return session;
  };

  const post = async (request: Request, session: HttpSession): Promise<Response> => {
    const body = await readBody(request, maxBodyBytes);
    if (body === undefined) return text(413, `the body is larger than ${maxBodyBytes} bytes`);
    const message = parse(body);
    const status = message === undefined ? 400 : statusOf(message.value);
    if (message === undefined || status >= 400) return text(status, "invalid json-rpc payload");
    await session.deliver(message.value);
    return new Response(null, { status });
  };

  const openEvents = (request: Request, session: HttpSession): Response => {
    const lastId = request.headers.get("last-event-id");
    const from = lastId === null ? undefined : Number(lastId);
    if (from !== undefined && !session.reaches(from)) return text(410, `what followed the event ${lastId} is no longer kept`);
    const headers = { "content-type": "text/event-stream", "cache-control": "no-cache", connection: "keep-alive", "x-accel-buffering": "no" };
    return new Response(session.attach(from), { headers });
  };

  const answer = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    const method = pathname === rpcPath ? "POST" : pathname === eventsPath ? "GET" : undefined;
    if (method === undefined) return text(404, "not found");
    if (request.method === "OPTIONS" && request.headers.has("origin")) return preflight();
    if (request.method !== method) return text(405, "method not allowed", { allow: method });
    const clientId = searchParams.get("client_id")?.trim() ?? "";
    if (clientId === "" || clientId.length > maxClientIdLength) return text(400, "client_id is required");
    const session = sessionOf(clientId);
    if (session === undefined) return text(503, "too many clients");
    return method === "GET" ? openEvents(request, session) : session.inOrder(() => post(request, session));
  };

  return {
    async fetch(request) {
      const refusal = guard(request.headers);
      const response = refusal === undefined ? await answer(request).catch(() => text(400, "the body cannot be read")) : text(refusal.status, refusal.message);
      const origin = request.headers.get("origin");
      if (origin !== null && origins.includes(origin)) response.headers.set("access-control-allow-origin", origin);
      if (origins.length > 0) response.headers.append("vary", "origin");
      return response;
    },
    async close() {
      await Promise.all([...sessions.values()].map((session) => session.close()));
    },
  };
}

/** What a browser asks before it posts from a page that the guard admits. */
function preflight(): Response {
  const headers = { "access-control-allow-methods": "GET, POST", "access-control-allow-headers": "authorization, content-type, last-event-id" };
  return new Response(null, { status: 204, headers });
}

function text(status: number, body: string, headers: Record<string, string> = {}): Response {
  return new Response(`${body}\n`, { status, headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff", ...headers } });
}

function parse(body: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(body) };
  } catch {
    return undefined;
  }
}
