import type { GuardOptions } from "./guard.js";
import { answerText, preflightAnswer } from "./http-answers.js";
import { HttpClients } from "./http-clients.js";
import { guardedFetch } from "./http-guarded.js";
import { identify } from "./identify.js";
import type { Transport } from "./transport.js";

/** Who may reach an HTTP server, and what its clients may take. */
export interface HttpServerLimits extends GuardOptions {
  /** Bytes of one POST. Default 4 MiB; a larger one is answered 413. */
  maxBodyBytes?: number | undefined;
  /**
   * POSTs of one client that may wait for a busy listener. Default 64; one more is answered 429. A client that keeps
   * its messages in order has one.
   */
  maxWaitingPosts?: number | undefined;
  /**
   * Clients at a time. Default 256. One more takes the slot of the oldest client that has not sent what `opens` it, or
   * has never opened its event stream; without such a client it is answered 503.
   */
  maxClients?: number | undefined;
  /** Characters that wait for a client's event streams. Default 16 Mi; past them `send` throws `overloaded`. */
  maxQueuedBytes?: number | undefined;
  /**
   * Characters that are kept after they were sent, for a stream that is opened again with `Last-Event-ID`. Default 16
   * Mi, more than a connection's buffers usually hold; the last message is always kept.
   */
  maxReplayBytes?: number | undefined;
  /** Milliseconds without an event stream or a POST after which a client counts as gone. Default 300,000. */
  idleMs?: number | undefined;
  /** Milliseconds between comments on a silent event stream. Default 5,000. */
  keepAliveMs?: number | undefined;
  /** Milliseconds that a client gets to read what was sent when its transport is closed here. Default 2,000. */
  closeTimeoutMs?: number | undefined;
}

/** How `httpServer` serves messages: POST requests come in, an event stream goes out. */
export interface HttpServerOptions extends HttpServerLimits {
  /** Path that takes a client's messages by POST, such as `/acp/rpc`. */
  rpcPath: string;
  /** Path that gives a client's event stream by GET, such as `/acp/sse`. */
  eventsPath: string;
  /** Takes each new client. Its POSTs wait until the transport is started. */
  onClient(transport: Transport, client: HttpClient): void;
  /**
   * Says whether a message makes a client one that keeps its slot, such as a valid `initialize`. Default: every message
   * does.
   */
  opens?: ((message: unknown) => boolean) | undefined;
  /** The HTTP status that answers a message: 2xx takes it, 4xx refuses it. Default 202 for every JSON value. */
  statusOf?: ((message: unknown) => number) | undefined;
}

/** A client of an HTTP server. Callers do not share ids: one id under two callers is two clients. */
export interface HttpClient {
  /** The `client_id` in the query of both paths. */
  readonly id: string;
  /** What `authenticate` returned; `undefined` without that option. */
  readonly caller: string | undefined;
}

/** A fetch-style server; it fits any host that speaks `Request` and `Response`. */
export interface HttpServer {
  /** Answers one request. It never rejects. */
  fetch(request: Request): Promise<Response>;
  /** Closes every client; requests are answered 503 from then on. */
  close(): Promise<void>;
}

const maxClientIdLength = 256;

/** Serves messages over HTTP and server-sent events. If the guard refuses a request, its body is not read. */
export function httpServer(options: HttpServerOptions): HttpServer {
  const clients = new HttpClients(options);
  return {
    fetch: guardedFetch(options, ["last-event-id"], (request) => answer(request, clients, options)),
    close: () => clients.close(),
  };
}

async function answer(request: Request, clients: HttpClients, options: HttpServerOptions): Promise<Response> {
  const { pathname, search, searchParams } = new URL(request.url);
  const methods = methodsOf(pathname, options);
  if (methods === undefined) return answerText(404, "not found");
  if (request.method === "OPTIONS" && request.headers.has("origin")) return preflightAnswer(methods);
  if (!methods.includes(request.method)) return answerText(405, "method not allowed", { allow: methods.join(", ") });
  const id = searchParams.get("client_id")?.trim() ?? "";
  if (id === "" || id.length > maxClientIdLength) return answerText(400, "client_id is required");
  const { caller, refusal } = await identify(options, { headers: request.headers, path: pathname + search });
  if (refusal !== undefined) return answerText(refusal.status, refusal.message);
  if (request.method === "POST") return clients.post(request, { id, caller });
  if (request.method === "GET") return clients.openEvents(request, { id, caller });
  clients.leave({ id, caller });
  return new Response(null, { status: 204 });
}

function methodsOf(pathname: string, { rpcPath, eventsPath }: HttpServerOptions): readonly string[] | undefined {
  if (pathname === rpcPath) return ["POST"];
  return pathname === eventsPath ? ["GET", "DELETE"] : undefined;
}
