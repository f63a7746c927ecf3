import { answerText, preflightAnswer } from "./answers.js";
import { HttpConnections } from "./connections.js";
import { guardedFetch, refuse } from "./guarded.js";
import type { HttpServer } from "./server.js";
import type { HttpStreamsServerOptions } from "./options.js";
import { identify } from "../listening/identify.js";
import { ListenerReports } from "../listening/reports.js";

const methods = ["POST", "GET", "DELETE"] as const;

/**
 * Serves messages at one path over HTTP and several event streams for each client, which the headers name. A POST that
 * opens a connection is answered with its answer and the id of the connection; others are answered 202. GET opens a
 * stream, DELETE ends the connection. Nothing is read of a request that the guard refuses.
 */
export function httpStreamsServer(options: HttpStreamsServerOptions): HttpServer {
  const reports = new ListenerReports(options.onDiagnostic);
  const connections = new HttpConnections(options, reports);
  return {
    fetch: guardedFetch(options, reports, [options.headers.connection], (request) =>
      answer(request, connections, options, reports),
    ),
    close: () => connections.close(),
  };
}

async function answer(
  request: Request,
  connections: HttpConnections,
  options: HttpStreamsServerOptions,
  reports: ListenerReports,
): Promise<Response> {
  const { path, headers } = options;
  const { pathname, search } = new URL(request.url);
  if (pathname !== path) return answerText(404, `expected the path ${path}, received ${pathname}`);
  if (request.method === "OPTIONS" && request.headers.has("origin"))
    return preflightAnswer(methods, Object.values(headers));
  if (!methods.some((method) => method === request.method))
    return answerText(405, "method not allowed", { allow: methods.join(", ") });
  const refused = refusalOf(request);
  if (refused !== undefined) return refused;
  const { caller, refusal } = await identify(options, { headers: request.headers, path: pathname + search });
  if (refusal !== undefined) return refuse(refusal, request, reports);
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
    ? answerText(406, "Accept must allow text/event-stream")
    : undefined;
}
