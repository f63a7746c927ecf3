import type { PeerHandler, RequestId } from "@editwire/core";
import { isRemoteError, isWireError, RemoteError, WireError } from "@editwire/core/errors";
import type { Calls } from "./calls.js";
import { Context, type Lifetime, type Received } from "./context.js";
import type { Lanes } from "./lanes.js";
import { isThenable } from "./thenable.js";

/** The error codes that an engine answers with, besides those of JSON-RPC itself. */
export const PeerErrorCode = {
  /** The request was cancelled by the side that made it; the code is the Language Server Protocol's. */
  RequestCancelled: -32800,
  /** `maxRequests` requests are in flight already; the request was not looked at. */
  TooManyRequests: -32050,
} as const;

/** Writes the answers as JSON text; `undefined` if there is none to send. */
export interface Answers {
  /** Throws `invalid_result` for a value without a JSON form. */
  result(id: RequestId, method: string, result: unknown): string;
  /** Throws `invalid_result` if the error's `data` has no JSON form. */
  error(id: RequestId, method: string, error: RemoteError): string | undefined;
  /** The answer to a request with the id of an unanswered request. */
  duplicate(id: RequestId, method: string): string | undefined;
}

/** The parts of the peer that its requests use. */
interface Parts {
  /** Sends the answers. */
  readonly outlet: { respond(json: string): void };
  readonly answers: Answers;
  readonly handler: PeerHandler;
  readonly lanes: Lanes;
  readonly calls: Pick<Calls, "awaitedSince">;
  readonly lifetime: Lifetime;
  readonly maxRequests: number;
}

/** The requests of the peer that are not answered yet. */
export class Requests {
  readonly #parts: Parts;
  /** Created for the first request, because a client rarely receives any. */
  #inFlight: Map<RequestId, Context> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Starts a request as soon as its session's lane is free. It does not wait for a lane whose handler may await a call
   * of this side: the peer may need the answer before it can answer that call. Each request is answered at most once.
   */
  accept(id: RequestId, received: Received): void {
    const { method, params, session } = received;
    const { answers, lanes, calls, lifetime, maxRequests } = this.#parts;
    const inFlight = (this.#inFlight ??= new Map());
    if (inFlight.has(id)) {
      this.#respond(answers.duplicate(id, method));
    } else if (inFlight.size >= maxRequests) {
      const message = `Too many requests in flight; the limit is ${maxRequests}`;
      this.#respond(this.#encode(id, method, new RemoteError(PeerErrorCode.TooManyRequests, message)));
    } else {
      const context = new Context(id, received, lifetime);
      inFlight.set(id, context);
      const lane = lanes.busy(session);
      if (lane === undefined || calls.awaitedSince(lane.since)) this.#start(id, method, params, context);
      else lanes.queueRequest(lane, () => this.#start(id, method, params, context));
    }
  }

  /** Refuses a request that cannot be read. With the id of a request that is not answered yet, it is a duplicate. */
  refuse(id: RequestId, method: string, error: RemoteError): void {
    const isDuplicate = this.#inFlight?.has(id) === true;
    this.#respond(isDuplicate ? this.#parts.answers.duplicate(id, method) : this.#encode(id, method, error));
  }

  /** Aborts a request's signal; its handler still answers it. */
  cancel(id: RequestId): void {
    this.#inFlight?.get(id)?.abort(new WireError("aborted", "the peer cancelled the request"));
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
    let json: string | undefined;
    try {
      json = this.#parts.answers.result(id, method, result);
    } catch (error) {
      this.#parts.lifetime.reports.error(error, method);
      json = this.#encode(id, method, RemoteError.internal());
    }
    this.#finish(id, context, json);
  }

  #fail(id: RequestId, method: string, context: Context, error: unknown): void {
    if (isRemoteError(error)) {
      this.#finish(id, context, this.#encode(id, method, error));
    } else if (context.reason !== undefined && (error === context.reason || isAbort(error))) {
      this.#finish(
        id,
        context,
        this.#encode(id, method, new RemoteError(PeerErrorCode.RequestCancelled, "Request cancelled")),
      );
    } else {
      this.#parts.lifetime.reports.error(error, method);
      this.#finish(id, context, this.#encode(id, method, RemoteError.of(error)));
    }
  }

  /**
   * An error whose `data` has no JSON form is answered without them. An error that cannot be read is answered as an
   * internal error.
   */
  #encode(id: RequestId, method: string, error: RemoteError): string | undefined {
    const { answers, lifetime } = this.#parts;
    const attempts = [() => error, () => new RemoteError(error.code, error.message)];
    for (const attempt of attempts) {
      try {
        return answers.error(id, method, attempt());
      } catch (failure) {
        lifetime.reports.error(failure, method);
      }
    }
    return answers.error(id, method, RemoteError.internal());
  }

  #finish(id: RequestId, context: Context, json: string | undefined): void {
    if (this.#over) return;
    this.#inFlight?.delete(id);
    this.#respond(json);
    context.finish();
  }

  #respond(json: string | undefined): void {
    if (json !== undefined) this.#parts.outlet.respond(json);
  }

  /** True after the connection has closed. */
  get #over(): boolean {
    return this.#parts.lifetime.reason !== undefined;
  }
}

function isAbort(error: unknown): boolean {
  try {
    return isWireError(error, "aborted") || (error instanceof Error && error.name === "AbortError");
  } catch {
    return false; // a value that cannot be looked at, such as a revoked proxy
  }
}
