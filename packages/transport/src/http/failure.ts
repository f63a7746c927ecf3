/** Why a request failed, and what may follow. */
export interface RequestFailure {
  /** For an error text. */
  readonly what: string;
  readonly status?: number | undefined;
  readonly cause?: unknown;
  /** The server certainly did not take the request. */
  readonly untaken: boolean;
  /** Whether the request may be made again: always, only if it may arrive twice, or never. */
  readonly again: "always" | "if-repeatable" | "never";
  /** Milliseconds that the server asks to wait. */
  readonly afterMs: number;
}

/**
 * Answers that say "not now". 409 is that of a server which has not noticed yet that an event stream is lost. A proxy
 * gives those from 500 on for a request that its server may have taken.
 */
const passing = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

/** Answers that, with `Retry-After`, ask for the same request later. */
const askingLater = new Set([425, 429, 503]);

/** The failure of a request that was answered. */
export async function refusedRequest(response: Response): Promise<RequestFailure> {
  const { status } = response;
  const what = `the server answered ${status} ${await beginningOf(response)}`.trimEnd();
  const afterMs = waitOf(response.headers.get("retry-after"));
  if (afterMs !== undefined && askingLater.has(status))
    return { what, status, untaken: true, again: "always", afterMs };
  const again = passing.has(status) ? "if-repeatable" : "never";
  return { what, status, untaken: status < 500, again, afterMs: 0 };
}

/** The failure of a request that got no answer. */
export function brokenRequest(cause: unknown): RequestFailure {
  const { message, cause: deeper } = cause as Error;
  const what = deeper instanceof Error ? deeper.message : message;
  const untaken = isWithoutConnection(cause) || isWithoutConnection(deeper);
  return { what, cause, untaken, again: untaken ? "always" : "if-repeatable", afterMs: 0 };
}

/** True for an error that came before there was a connection: nothing was sent. */
function isWithoutConnection(error: unknown): boolean {
  const { code, syscall, errors } = (error ?? {}) as { code?: unknown; syscall?: unknown; errors?: unknown };
  if (Array.isArray(errors)) return errors.length > 0 && errors.every(isWithoutConnection); // one for each address
  if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ConnectionRefused") return true; // of Node, and of Bun
  return syscall === "connect" || syscall === "getaddrinfo";
}

/** The milliseconds of a header `Retry-After`: seconds or a date (RFC 9110, 10.2.3). */
function waitOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** The first line or so of an answer, for an error; no more of it is read. */
async function beginningOf({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const part = await reader?.read();
  void reader?.cancel().catch(() => {});
  return new TextDecoder().decode(part?.value).slice(0, 200).trim();
}
