import { WireError } from "@editwire/core/errors";
import { Cookies } from "./cookies.js";
import { keysHeader, keysTaken } from "./keys.js";
import { brokenRequest, refusedRequest, type RequestFailure } from "./failure.js";
import { delay } from "../shared/timers.js";

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

/** The requests to one server, until they are aborted all together. */
export class Requests {
  readonly #options: RequestOptions;
  readonly #underWay = new Set<AbortController>();
  readonly #cookies: Cookies;
  #aborted = false;
  /** Whether the server was reached yet: one that never was is not waited for. */
  reached = false;
  /** Whether the server has declared that it knows a repeated request by its `Idempotency-Key`. */
  takesKeys = false;

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
    this.takesKeys ||= response.headers.get(keysHeader) === keysTaken;
    return response;
  }

  /**
   * Makes a request until the server takes it, with growing pauses. A request that is not `repeatable` is made again
   * only if the server certainly did not take it. Throws a `WireError` for a failure that is final and when the time is
   * over. Its `data` has the `status` of the last answer, and `outcome: "unknown"` where a POST may have been taken.
   */
  async make(url: string | URL, init: Init, signal: AbortSignal, repeatable = true): Promise<Response> {
    const retryMs = this.reached ? this.#options.retryMs : 0;
    let giveUpAt: number | undefined;
    let isUnknown = false;
    for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
      const result = await this.#attempt(url, init, signal);
      if (result instanceof Response) return result;
      isUnknown ||= init.method === "POST" && !result.untaken;
      giveUpAt ??= Date.now() + retryMs;
      const isFinal = repeatable ? result.again === "never" : result.again !== "always";
      const waitMs = Math.max(pause, result.afterMs);
      if (isFinal || signal.aborted || Date.now() + waitMs > giveUpAt)
        throw this.#failure(url, init, result, isUnknown);
      await delay(waitMs, signal);
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

  async #attempt(url: string | URL, init: Init, signal: AbortSignal): Promise<Response | RequestFailure> {
    try {
      const response = await this.once(url, init, signal);
      return response.ok ? response : await refusedRequest(response);
    } catch (cause) {
      return brokenRequest(cause);
    }
  }

  #failure(url: string | URL, init: Init, { what, status, cause }: RequestFailure, isUnknown: boolean): WireError {
    const outcome = isUnknown ? { outcome: "unknown" } : undefined;
    const data = status === undefined ? outcome : { status, ...outcome };
    return this.failure(url, init, isUnknown ? `${what}; ${mayBeTaken}` : what, { cause, data });
  }
}

const mayBeTaken = "the server may have taken the message, so its outcome is unknown";
