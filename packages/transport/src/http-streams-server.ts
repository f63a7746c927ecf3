import { answerText, preflightAnswer } from "./http-answers.js";
import { HttpConnections } from "./http-connections.js";
import { guardedFetch } from "./http-guarded.js";
import type { HttpServerRoutes, StreamsHeaders } from "./http-routes.js";
import type { HttpClient, HttpServer, HttpServerLimits } from "./http-server.js";
import { identify } from "./identify.js";
import type { Transport } from "./transport.js";

/** How `httpStreamsServer` serves messages: one path, and several event streams for each client. */
export interface HttpStreamsServerOptions extends Omit<HttpServerLimits, "maxBodyBytes" | "maxReplayBytes"> {
  /** Path of every request, such as `/acp`. */
  path: string;
  /** The names of the headers that name the connection and the stream. */
  headers: StreamsHeaders;
  /** Takes each new client. Its id is that of its connection. */
  onClient(transport: Transport, client: HttpClient): void;
  /** True for a message that opens a connection. Its answer is the answer to its POST. */
  opens(message: unknown): boolean;
  /** True for a message that `opens` and is valid: its client keeps its slot. Default: every one is. */
  keeps?: ((message: unknown) => boolean) | undefined;
  /** The routes of a connection that the message opened. */
  routes(opening: unknown): HttpServerRoutes;
  /** Returns the body of the answer 400 to what is not a message. Default: every JSON value is one. */
  refuse?: ((message: unknown) => object | undefined) | undefined;
  /** Bytes of one POST. Default 16 MiB; a larger one is answered 413. */
  maxBodyBytes?: number | undefined;
  /**
   * Characters that each event stream keeps after they were sent, for a client that opens it again with
   * `Last-Event-ID`. Default 1 Mi; the last message is always kept.
   */
  maxReplayBytes?: number | undefined;
  /** Event streams of one client. Default 256; one that is neither open nor waited for makes place for another. */
  maxStreams?: number | undefined;
}

const methods = ["POST", "GET", "DELETE"] as const;

/**
 * Serves messages at one path over HTTP and several event streams for each client, which the headers name. A POST that
 * opens a connection is answered with its answer and the id of the connection; others are answered 202. GET opens a
 * stream, DELETE ends the connection. Nothing is read of a request that the guard refuses.
 */
export function httpStreamsServer(options: HttpStreamsServerOptions): HttpServer {
  const connections = new HttpConnections(options);
  const exposed = ["last-event-id", options.headers.connection];
  return {
    fetch: guardedFetch(options, exposed, (request) => answer(request, connections, options)),
    close: () => connections.close(),
  };
}

async function answer(
  request: Request,
  connections: HttpConnections,
  options: HttpStreamsServerOptions,
): Promise<Response> {
  const { path, headers } = options;
  const { pathname, search } = new URL(request.url);
  if (pathname !== path) return answerText(404, "not found");
  if (request.method === "OPTIONS" && request.headers.has("origin"))
    return preflightAnswer(methods, Object.values(headers));
  if (!methods.some((method) => method === request.method))
    return answerText(405, "method not allowed", { allow: methods.join(", ") });
  const refused = refusalOf(request);
  if (refused !== undefined) return refused;
  const { caller, refusal } = await identify(options, { headers: request.headers, path: pathname + search });
  if (refusal !== undefined) return answerText(refusal.status, refusal.message);
  if (request.method === "POST") return connections.post(request, caller);
  if (request.method === "GET") return connections.openEvents(request, caller);
  return connections.leave(request, caller);
}

/** Refuses a request by the types that it sends or accepts. */
function refusalOf({ method, headers }: Request): Response | undefined {
  const type = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (method === "POST" && type !== "application/json") return answerText(415, "expected application/json");
  const accepts = headers.get("accept")?.toLowerCase() ?? "";
  return method === "GET" && !accepts.includes("text/event-stream")
    ? answerText(406, "this is text/event-stream")
    : undefined;
}
