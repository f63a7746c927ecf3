import { checkGuard, createGuard, type GuardOptions, type Refusal } from "../listening/guard.js";
import { answerText } from "./answers.js";
import { keysHeader } from "./keys.js";
import type { ListenerReports } from "../listening/reports.js";

/** The headers that a client needs of any answer. */
const exposedAlways = ["last-event-id", "retry-after", keysHeader];

/**
 * Puts a guard before a fetch-style handler, and CORS headers on what it answers to pages. It never rejects. A page may
 * read the headers `exposed` of an answer, beside those of every server.
 */
export function guardedFetch(
  options: GuardOptions,
  reports: ListenerReports,
  exposed: readonly string[],
  answer: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  checkGuard(options);
  const guard = createGuard(options);
  const preflightGuard = createGuard({ ...options, token: undefined }); // browsers send no token with a preflight
  const { origins = [] } = options;
  return async (request) => {
    const refusal = (request.method === "OPTIONS" ? preflightGuard : guard)(request.headers);
    const response =
      refusal === undefined
        ? await answer(request).catch(() => answerText(500, "internal error"))
        : refuse(refusal, request, reports);
    const origin = request.headers.get("origin");
    if (origin !== null && origins.includes(origin)) {
      response.headers.set("access-control-allow-origin", origin);
      response.headers.set("access-control-expose-headers", [...exposedAlways, ...exposed].join(", "));
    }
    if (origins.length > 0) response.headers.append("vary", "origin");
    return response;
  };
}

/** Refuses a request, and reports it to the operator. The query may hold secrets: it is left out. */
export function refuse(refusal: Refusal, { method, url }: Request, reports: ListenerReports): Response {
  reports.refused(refusal, `${method} ${new URL(url).pathname}`);
  return answerText(refusal.status, refusal.message);
}
