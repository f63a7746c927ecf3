import { createGuard, type GuardOptions } from "./guard.js";
import { defaultCloseTimeoutMs } from "./byte-stream-transport.js";
import { readBody } from "./http-body.js";
import { answerText, preflightAnswer } from "./http-answers.js";
import { HttpSession } from "./http-session.js";
import type { Transport } from "./transport.js";

/** How messages are served over HTTP: requests in, an event stream out. */
export interface HttpServerOptions extends GuardOptions {
  /** Path that takes a client's messages by POST, such as `/acp/rpc`. */
  rpcPath: string;
  /** Path that gives a client's event stream by GET, such as `/acp/sse`. */
  eventsPath: string;
  /** Takes each new client, by the `client_id` in the query of both paths. Its POSTs wait until the transport is started. */
  onClient(transport: Transport, clientId: string): void;
  /** The HTTP status that answers a message: 2xx takes it, 4xx refuses it. Default 202 for every JSON value. */
  statusOf?: ((message: unknown) => number) | undefined;
  /** Bytes of one POST. Default 4 MiB; a larger one is answered 413. */
  maxBodyBytes?: number | undefined;
  /** Clients at a time. Default 256; one more is answered 503. */
  maxClients?: number | undefined;
  /** Characters that wait for a client's event stream. Default 16 Mi; past them `send` throws `overloaded`. */
  maxQueuedBytes?: number | undefined;
  /**
   * Characters that are kept after they were sent, for a stream that comes back with `Last-Event-ID`. Default 16 Mi, more than
   * a connection's buffers usually hold; the last message is always kept.
   */
  maxReplayBytes?: number | undefined;
  /** Milliseconds without an event stream or a POST after which a client counts as gone. Default 300,000. */
  idleMs?: number | undefined;
  /** Milliseconds between comments on a silent event stream. Default 5,000. */
  keepAliveMs?: number | undefined;
  /** Milliseconds that a client gets to read what was sent when its transport is closed here. Default 2,000. */
  closeTimeoutMs?: number | undefined;
}

/** A fetch-style server; it fits any host that speaks `Request` and `Response`. */
export interface HttpServer {
  /** Answers one request. It never rejects. */
  fetch(request: Request): Promise<Response>;
  /** Closes every client; requests are answered 503 from then on. */
  close(): Promise<void>;
}

const maxClientIdLength = 256;
/** POSTs of one client that may wait for a busy listener; a client that keeps its messages in order has one. */
const maxWaitingPosts = 64;

/** Serves messages over HTTP and server-sent events. Nothing is read of a request that the guard turns away. */
export function httpServer(options: HttpServerOptions): HttpServer {
  const { rpcPath, eventsPath, onClient, statusOf = () => 202, origins = [] } = options;
  const {
    maxBodyBytes = 4 * 1024 * 1024,
    maxClients = 256,
    maxQueuedBytes = 16 * 1024 * 1024,
    maxReplayBytes = 16 * 1024 * 1024,
  } = options;
  const { idleMs = 300_000, keepAliveMs = 5_000, closeTimeoutMs = defaultCloseTimeoutMs } = options;
  const limits = { maxQueuedBytes, maxReplayBytes, idleMs, keepAliveMs, closeTimeoutMs };
  const guard = createGuard(options);
  const preflightGuard = createGuard({ ...options, token: undefined }); // browsers send no token with a preflight
  const sessions = new Map<string, HttpSession>();
  let closing = false;

  const admit = (clientId: string): HttpSession | Response => {
    const known = sessions.get(clientId);
    if (known !== undefined) return known.over ? answerText(410, "this client was closed") : known;
    if (closing || sessions.size >= maxClients)
      return answerText(503, closing ? "the server is closing" : "too many clients");
    const session = new HttpSession(limits, () => {
      if (sessions.get(clientId) === session) sessions.delete(clientId);
    });
    sessions.set(clientId, session);
    onClient(session, clientId);
    return session;
  };

  const post = async (request: Request, clientId: string): Promise<Response> => {
    const session = admit(clientId);
    if (session instanceof Response) return session;
    if (session.waitingPosts >= maxWaitingPosts) return answerText(429, "too many messages wait");
    return session.inOrder(async () => {
      const body = await readBody(request, maxBodyBytes);
      if (!body.ok) return answerText(body.status, body.message);
      const status = statusOf(body.value);
      if (status >= 400) return answerText(status, "the body is no message");
      const taken = await session.deliver(body.value, request.headers.get("idempotency-key"));
      return taken ? new Response(null, { status }) : answerText(410, "this client was closed");
    });
  };

  const openEvents = (request: Request, clientId: string): Response => {
    const after = request.headers.get("last-event-id");
    const lost = (): Response =>
      answerText(
        410,
        "what followed this event is not kept: the client was away for too long, or the server was restarted",
      );
    if (after !== null && !sessions.has(clientId)) return lost();
    const session = admit(clientId);
    if (session instanceof Response) return session;
    const position = after === null ? undefined : session.positionOf(after);
    if (after !== null && position === undefined) return lost();
    const headers = {
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
      "last-event-id": after ?? session.lastEventId, // what the stream goes on after, for a client that loses it before its first event
    };
    return new Response(session.attach(position), { headers });
  };

  const answer = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    const methods = pathname === rpcPath ? ["POST"] : pathname === eventsPath ? ["GET", "DELETE"] : undefined;
    if (methods === undefined) return answerText(404, "not found");
    if (request.method === "OPTIONS" && request.headers.has("origin")) return preflightAnswer(methods);
    if (!methods.includes(request.method)) return answerText(405, "method not allowed", { allow: methods.join(", ") });
    const clientId = searchParams.get("client_id")?.trim() ?? "";
    if (clientId === "" || clientId.length > maxClientIdLength) return answerText(400, "client_id is required");
    if (request.method === "POST") return post(request, clientId);
    if (request.method === "GET") return openEvents(request, clientId);
    sessions.get(clientId)?.leave();
    return new Response(null, { status: 204 });
  };

  return {
    async fetch(request) {
      const refusal = (request.method === "OPTIONS" ? preflightGuard : guard)(request.headers);
      const response =
        refusal === undefined
          ? await answer(request).catch(() => answerText(500, "internal error"))
          : answerText(refusal.status, refusal.message);
      const origin = request.headers.get("origin");
      if (origin !== null && origins.includes(origin)) {
        response.headers.set("access-control-allow-origin", origin);
        response.headers.set("access-control-expose-headers", "last-event-id");
      }
      if (origins.length > 0) response.headers.append("vary", "origin");
      return response;
    },
    async close() {
      closing = true;
      await Promise.all(Array.from(sessions.values(), (session) => session.close()));
    },
  };
}
