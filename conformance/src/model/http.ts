import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** A fault of the caller, with its HTTP status. */
export class HttpError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Reads a JSON body. Throws `HttpError` 413 above `limit` bytes, after it has discarded the rest, and 400 for a body
 * that is not JSON.
 */
export async function readJson(request: IncomingMessage, limit: number): Promise<{ value: unknown; bytes: number }> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // A caller that still writes would not read the answer.
    if (bytes <= limit) chunks.push(chunk);
    else chunks = [];
    if (bytes > limit * 4) break;
  }
  if (bytes > limit) throw new HttpError(413, `The body is larger than ${limit} bytes`);
  try {
    return { value: JSON.parse(Buffer.concat(chunks).toString("utf8")), bytes };
  } catch (cause) {
    throw new HttpError(400, `The body is not JSON: ${(cause as Error).message}`);
  }
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** How a stream is sent. */
export interface Pace {
  /** Milliseconds after each piece. */
  readonly delayMs: number;
  /** Aborts when the caller goes. */
  readonly signal: AbortSignal;
}

/** Writes pieces at the caller's pace. Rejects with an `AbortError` when the caller goes. */
export async function sendPieces(
  response: ServerResponse,
  pieces: readonly string[],
  { delayMs, signal }: Pace,
): Promise<void> {
  for (const piece of pieces) {
    signal.throwIfAborted();
    if (!response.write(piece)) await once(response, "drain", { signal });
    if (delayMs > 0) await delay(delayMs, undefined, { signal });
  }
}
