import { answerText, preflightAnswer } from "./answers.js";
import { HttpClients } from "./clients.js";
import { guardedFetch, refuse } from "./guarded.js";
import type { HttpServerOptions } from "./options.js";
import { identify } from "../listening/identify.js";
import { ListenerReports } from "../listening/reports.js";

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
  const reports = new ListenerReports(options.onDiagnostic);
  const clients = new HttpClients(options, reports);
  return {
    fetch: guardedFetch(options, reports, [], (request) => answer(request, clients, options, reports)),
    close: () => clients.close(),
  };
}

async function answer(
  request: Request,
  clients: HttpClients,
  options: HttpServerOptions,
  reports: ListenerReports,
): Promise<Response> {
  const { pathname, search, searchParams } = new URL(request.url);
  const { rpcPath, eventsPath } = options;
  const methods = methodsOf(pathname, options);
  if (methods === undefined)
    return answerText(404, `expected the path ${rpcPath} or ${eventsPath}, received ${pathname}`);
  if (request.method === "OPTIONS" && request.headers.has("origin")) return preflightAnswer(methods);
  if (!methods.includes(request.method)) return answerText(405, "method not allowed", { allow: methods.join(", ") });
  const id = searchParams.get("client_id")?.trim() ?? "";
  if (id === "" || id.length > maxClientIdLength) return answerText(400, "client_id is required");
  const { caller, refusal } = await identify(options, { headers: request.headers, path: pathname + search });
  if (refusal !== undefined) return refuse(refusal, request, reports);
  if (request.method === "POST") return clients.post(request, { id, caller });
  if (request.method === "GET") return clients.openEvents(request, { id, caller });
  clients.leave({ id, caller });
  return new Response(null, { status: 204 });
}

function methodsOf(pathname: string, { rpcPath, eventsPath }: HttpServerOptions): readonly string[] | undefined {
  if (pathname === rpcPath) return ["POST"];
  return pathname === eventsPath ? ["GET", "DELETE"] : undefined;
}
