import { isWireError, WireError } from "@editwire/core";

/** Limits of a download. */
export interface DownloadOptions {
  /** Bytes. A larger answer is refused. */
  maxBytes: number;
  /** Milliseconds until the headers of the answer arrive, of each hop. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

const maxHops = 5;

/**
 * The bytes at a URL, as they arrive. Only `https:` is fetched, and `http:` from this machine itself, also where a
 * server redirects. Throws `WireError("not_connected")` for another URL, an answer that is no success and a failed
 * connection, `"too_large"` for too many bytes, and `"aborted"`.
 */
export async function* download(from: string | URL, options: DownloadOptions): AsyncGenerator<Uint8Array> {
  const { body } = await answerOf(from, options);
  let bytes = 0;
  try {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > options.maxBytes) throw tooLarge(from, options.maxBytes);
      yield chunk;
    }
  } catch (error) {
    throw failure(from, error, options.signal);
  }
}

async function answerOf(from: string | URL, { maxBytes, timeoutMs, signal }: DownloadOptions): Promise<Response> {
  let url = new URL(from);
  for (let hop = 0; hop <= maxHops; hop += 1) {
    checkSecure(url);
    const slow = new AbortController();
    const timer = setTimeout(() => slow.abort(new Error(`no answer in ${timeoutMs} ms`)), timeoutMs);
    const signals = signal === undefined ? [slow.signal] : [slow.signal, signal];
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.any(signals) })
      .catch((error: unknown) => {
        throw failure(url, slow.signal.aborted ? slow.signal.reason : error, signal);
      })
      .finally(() => clearTimeout(timer));
    const location = response.headers.get("location");
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      url = new URL(location, url);
      continue;
    }
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      throw new WireError("not_connected", `${shown(url)}: expected a file, received status ${response.status}`);
    }
    if (Number(response.headers.get("content-length") ?? 0) > maxBytes) {
      await response.body.cancel();
      throw tooLarge(url, maxBytes);
    }
    return response;
  }
  throw new WireError("not_connected", `${shown(from)}: more than ${maxHops} redirects`);
}

function checkSecure(url: URL): void {
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url.protocol === "https:" || (url.protocol === "http:" && isHere)) return;
  throw new WireError("not_connected", `${shown(url)}: expected an https: URL`);
}

function tooLarge(url: string | URL, maxBytes: number): WireError {
  return new WireError("too_large", `${shown(url)}: larger than ${maxBytes} bytes`);
}

function failure(url: string | URL, cause: unknown, signal: AbortSignal | undefined): WireError {
  if (isWireError(cause)) return cause;
  if (signal?.aborted === true) return new WireError("aborted", `${shown(url)}: aborted`, { cause: signal.reason });
  const { message, cause: inner } = cause as { message?: string; cause?: { message?: string } };
  return new WireError("not_connected", `${shown(url)}: ${inner?.message ?? message ?? String(cause)}`, { cause });
}

/** A URL without what may be a secret in it. */
function shown(from: string | URL): string {
  const { protocol, host, pathname } = new URL(from);
  return `${protocol}//${host}${pathname}`;
}
