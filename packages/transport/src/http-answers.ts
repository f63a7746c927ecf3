/** An answer in plain text, for a person who reads the log. */
export function answerText(status: number, text: string, headers: Record<string, string> = {}): Response {
  const challenge: Record<string, string> = status === 401 ? { "www-authenticate": "Bearer" } : {};
  const type = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
  return new Response(`${text}\n`, { status, headers: { ...type, ...challenge, ...headers } });
}

/** What a browser asks for before it sends from a page that the guard admits. */
export function preflightAnswer(methods: readonly string[]): Response {
  const headers = {
    "access-control-allow-methods": methods.join(", "),
    "access-control-allow-headers": "authorization, content-type, idempotency-key, last-event-id",
    "access-control-max-age": "600",
  };
  return new Response(null, { status: 204, headers });
}
