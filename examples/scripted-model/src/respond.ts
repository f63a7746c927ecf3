import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** What the caller did wrong, with the HTTP status that says so. */
export class HttpError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Reads a JSON body. Throws `HttpError` 413 above 32 MiB and 400 for anything but JSON. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new HttpError(413, `The body is larger than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch (cause) {
    throw new HttpError(400, `The body is not JSON: ${(cause as Error).message}`);
  }
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** Answers with an error in the API's form. A retry would get the same answer, and the header says so. */
export function sendError(response: ServerResponse, status: number, message: string): void {
  const type = status >= 500 ? "server_error" : "invalid_request_error";
  response.setHeader("x-should-retry", "false");
  sendJson(response, status, { error: { message, type, param: null, code: null } });
}

/** Streams chunks as server-sent events, at the client's pace. Rejects with an `AbortError` when the client goes. */
export async function sendChunks(response: ServerResponse, chunks: Iterable<unknown>, delayMs: number, signal: AbortSignal): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  for (const chunk of chunks) {
    signal.throwIfAborted();
    if (!response.write(`data: ${JSON.stringify(chunk)}\n\n`)) await once(response, "drain", { signal });
    if (delayMs > 0) await delay(delayMs, undefined, { signal });
  }
}
