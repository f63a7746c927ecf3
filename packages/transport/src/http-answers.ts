/** An answer in plain text, for a person who reads the log. */
export function answerText(status: number, text: string, headers: Record<string, string> = {}): Response {
  const challenge: Record<string, string> = status === 401 ? { "www-authenticate": "Bearer" } : {};
  const type = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
  return new Response(`${text}\n`, { status, headers: { ...type, ...challenge, ...headers } });
}

/** Refuses a request for now: it was not taken, and may be made again. */
export function answerLater(status: 429 | 503, text: string): Response {
  return answerText(status, text, { "retry-after": "1" });
}

/** An answer in JSON. */
export function answerJson(status: number, value: object, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), { status, headers: { "content-type": "application/json", ...headers } });
}

/** What a browser asks for before it sends from a page that the guard admits. */
export function preflightAnswer(methods: readonly string[], ownHeaders: readonly string[] = []): Response {
  const names = ["authorization", "content-type", "idempotency-key", "last-event-id", ...ownHeaders];
  const headers = {
    "access-control-allow-methods": methods.join(", "),
    "access-control-allow-headers": names.join(", "),
    "access-control-max-age": "600",
  };
  return new Response(null, { status: 204, headers });
}
