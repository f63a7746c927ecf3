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

/** The answer to a browser that asks before it sends from a page that the guard admits. */
export function preflightAnswer(methods: readonly string[], ownHeaders: readonly string[] = []): Response {
  const names = ["authorization", "content-type", "idempotency-key", "last-event-id", ...ownHeaders];
  const headers = {
    "access-control-allow-methods": methods.join(", "),
    "access-control-allow-headers": names.join(", "),
    "access-control-max-age": "600",
  };
  return new Response(null, { status: 204, headers });
}

/** The JSON value of a body and its text, or how to refuse it. */
export type Body =
  | { readonly ok: true; readonly value: unknown; readonly text: string }
  | { readonly ok: false; readonly status: 400 | 413; readonly message: string };

/**
 * Reads the body of a request or an answer as JSON in UTF-8. Of one that is larger than `maxBytes` no more than that is
 * read.
 */
export async function readBody(request: Pick<Request, "headers" | "body">, maxBytes: number): Promise<Body> {
  const tooLarge = { ok: false, status: 413, message: `the body is larger than ${maxBytes} bytes` } as const;
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return tooLarge;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = request.body?.getReader();
  let text = "";
  let size = 0;
  try {
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
      size += part.value.byteLength;
      if (size > maxBytes) {
        await reader?.cancel();
        return tooLarge;
      }
      text += decoder.decode(part.value, { stream: true });
    }
    text += decoder.decode();
    return { ok: true, value: JSON.parse(text), text };
  } catch {
    return { ok: false, status: 400, message: "the body is not JSON in UTF-8" };
  }
}
