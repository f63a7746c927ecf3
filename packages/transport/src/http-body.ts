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
