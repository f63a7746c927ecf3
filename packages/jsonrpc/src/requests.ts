import type { PeerHandler, RequestId } from "@editwire/core";
import { ErrorCode, isRemoteError, isWireError, WireError } from "@editwire/core/errors";
import { Context, type Lifetime } from "./context.js";
import type { Lanes } from "./lanes.js";
import { encodeError, encodeResult } from "./messages.js";
import { JsonRpcErrorCode } from "./options.js";
import { isThenable } from "./thenable.js";

/** What the requests need of their peer. */
interface Parts {
  readonly respond: (json: string) => void;
  readonly handler: PeerHandler;
  readonly lanes: Lanes;
  readonly lifetime: Lifetime;
  readonly maxRequests: number;
}

/** The requests of the peer that are not answered yet. */
export class Requests {
  readonly #parts: Parts;
  readonly #inFlight = new Map<RequestId, Context>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Starts a request as soon as its session's lane is free. Each request is answered exactly once. */
  accept(id: RequestId, method: string, params: unknown, session: string | undefined): void {
    const { respond, lanes, lifetime, maxRequests } = this.#parts;
    if (this.#inFlight.has(id)) {
      respond(encodeError(id, ErrorCode.InvalidRequest, "Invalid request: duplicate id, the first request with it is not answered yet"));
    } else if (this.#inFlight.size >= maxRequests) {
      respond(encodeError(id, JsonRpcErrorCode.TooManyRequests, `Too many requests in flight; the limit is ${maxRequests}`));
    } else {
      const context = new Context(id, method, lifetime);
      this.#inFlight.set(id, context);
      const lane = lanes.busy(session);
      if (lane === undefined) this.#start(id, method, params, context);
      else lanes.queueRequest(lane, () => this.#start(id, method, params, context));
    }
  }

  /** Aborts a request's signal; its handler still answers it. */
  cancel(id: RequestId): void {
    this.#inFlight.get(id)?.abort(new WireError("aborted", "the peer cancelled the request"));
  }

  #start(id: RequestId, method: string, params: unknown, context: Context): void {
    if (this.#over) return;
    try {
      const result = this.#parts.handler.request(method, params, context);
      if (!isThenable(result)) return this.#answer(id, method, context, result);
      Promise.resolve(result).then(
        (value) => this.#answer(id, method, context, value),
        (error: unknown) => this.#fail(id, method, context, error),
      );
    } catch (error) {
      this.#fail(id, method, context, error);
    }
  }

  #answer(id: RequestId, method: string, context: Context, result: unknown): void {
    if (this.#over) return;
    let json: string;
    try {
      json = encodeResult(id, method, result);
    } catch (error) {
      this.#parts.lifetime.reports.error(error, method);
      json = internalError(id);
    }
    this.#finish(id, context, json);
  }

  #fail(id: RequestId, method: string, context: Context, error: unknown): void {
    const { reports } = this.#parts.lifetime;
    if (isRemoteError(error)) {
      this.#finish(id, context, this.#encode(id, method, error.code, error.message, error.data));
    } else if (context.reason !== undefined && (error === context.reason || isAbort(error))) {
      this.#finish(id, context, encodeError(id, JsonRpcErrorCode.RequestCancelled, "Request cancelled"));
    } else {
      reports.error(error, method);
      this.#finish(id, context, internalError(id));
    }
  }

  #encode(id: RequestId, method: string, code: number, message: string, data: unknown): string {
    try {
      return encodeError(id, code, message, data);
    } catch (error) {
      this.#parts.lifetime.reports.error(error, method);
      return encodeError(id, code, message);
    }
  }

  #finish(id: RequestId, context: Context, json: string): void {
    if (this.#over) return;
    this.#inFlight.delete(id);
    this.#parts.respond(json);
    context.finish();
  }

  /** True once nobody is left to answer. */
  get #over(): boolean {
    return this.#parts.lifetime.reason !== undefined;
  }
}

function internalError(id: RequestId): string {
  return encodeError(id, ErrorCode.InternalError, "Internal error");
}

function isAbort(error: unknown): boolean {
  return isWireError(error, "aborted") || (error instanceof Error && error.name === "AbortError");
}
