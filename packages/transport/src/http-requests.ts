import { WireError } from "@editwire/core/errors";
import { Cookies } from "./http-cookies.js";
import { delay } from "./timers.js";

/** How requests are made. */
export interface RequestOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  /** Milliseconds from the first failure on for which a request is made again. */
  readonly retryMs: number;
  readonly cookies: Map<string, string>;
}

/** A request, with only the headers of its own. */
export type Init = Omit<RequestInit, "headers" | "signal"> & { readonly headers?: Record<string, string> };

const firstPauseMs = 50;
const longestPauseMs = 2_000;

/**
 * Answers that say "not now": the same request may be made again. 409 is that of a server which has not noticed yet
 * that an event stream is lost.
 */
const passing = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

/** The requests to one server, until they are aborted all together. */
export class Requests {
  readonly #options: RequestOptions;
  readonly #underWay = new Set<AbortController>();
  readonly #cookies: Cookies;
  #aborted = false;
  /** Whether the server was reached yet: one that never was is not waited for. */
  reached = false;

  constructor(options: RequestOptions) {
    this.#options = options;
    this.#cookies = new Cookies(options.cookies);
  }

  /** Aborts what is under way and all that follows. */
  abort(): void {
    this.#aborted = true;
    for (const controller of this.#underWay) controller.abort();
  }

  /** Runs what `abort` ends. Each has a signal of its own: a shared one would collect listeners. */
  async during<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    if (this.#aborted) controller.abort();
    this.#underWay.add(controller);
    try {
      return await work(controller.signal);
    } finally {
      this.#underWay.delete(controller);
    }
  }

  /** Makes a request once, with the cookies that earlier answers set. */
  async once(url: string | URL, init: Init, signal: AbortSignal): Promise<Response> {
    // Not called as a method of the options: a browser's own fetch refuses that.
    const { fetch: send, headers } = this.#options;
    const own = { ...headers, ...init.headers };
    const response = await send(url, { ...init, headers: this.#cookies.addTo(own), signal });
    this.#cookies.take(response.headers.getSetCookie?.()); // browsers keep cookies themselves, and show none
    return response;
  }

  /**
   * Makes a request until the server takes it, with growing pauses between failures that may pass. Throws a `WireError`
   * for an answer that is final (`data` is `{ status }`) and when the time is over.
   */
  async make(url: string | URL, init: Init, signal: AbortSignal): Promise<Response> {
    const retryMs = this.reached ? this.#options.retryMs : 0;
    let giveUpAt: number | undefined;
    for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
      const { response, failure, final } = await this.#attempt(url, init, signal);
      if (response !== undefined) return response;
      giveUpAt ??= Date.now() + retryMs;
      if (final || signal.aborted || Date.now() + pause > giveUpAt) throw failure;
      await delay(pause, signal);
    }
  }

  /** The error of a request to this server. */
  failure(
    url: string | URL,
    { method = "GET" }: Init,
    what: string,
    details?: { cause?: unknown; data?: unknown },
  ): WireError {
    const { origin, pathname } = new URL(url);
    return new WireError(this.reached ? "closed" : "not_connected", `${method} ${origin}${pathname}: ${what}`, details);
  }

  async #attempt(url: string | URL, init: Init, signal: AbortSignal): Promise<Attempt> {
    try {
      const response = await this.once(url, init, signal);
      const { ok, status } = response;
      if (ok) return { response };
      const said = await beginningOf(response);
      return {
        failure: this.failure(url, init, `the server answered ${status} ${said}`, { data: { status } }),
        final: !passing.has(status),
      };
    } catch (cause) {
      const { message, cause: deeper } = cause as Error;
      return {
        failure: this.failure(url, init, deeper instanceof Error ? deeper.message : message, { cause }),
        final: false,
      };
    }
  }
}

/** The first line or so of an answer, for an error; no more of it is read. */
async function beginningOf({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const part = await reader?.read();
  void reader?.cancel().catch(() => {});
  return new TextDecoder().decode(part?.value).slice(0, 200).trim();
}

type Attempt =
  | { response: Response; failure?: never; final?: never }
  | { response?: never; failure: WireError; final: boolean };
