import type { PeerContext, RequestId } from "@editwire/core";
import type { WireError } from "@editwire/core/errors";
import type { Reports } from "./reports.js";

/** A request or a notification of the peer. */
export interface Received {
  readonly method: string;
  readonly params: unknown;
  /** The session that names its lane. */
  readonly session: string | undefined;
  /** The size of its JSON text, as its transport counts it. */
  readonly length: number;
}

/** The data that the contexts of one connection share. */
export interface Lifetime {
  /** The reason why the connection is closed, once it is. */
  reason: WireError | undefined;
  /** The contexts whose signal a handler has read; made for the first of them. */
  watched: Set<Context> | undefined;
  readonly reports: Reports;
}

/** Aborts the signal of every handler that still runs. */
export function endLifetime(lifetime: Lifetime, reason: WireError): void {
  lifetime.reason = reason;
  for (const context of lifetime.watched ?? []) context.abort(reason);
}

/**
 * A handler's context. Most handlers never ask for the signal, so its controller is made when they do. Both members
 * also work when they are destructured.
 */
export class Context implements PeerContext {
  readonly id: RequestId | undefined;
  readonly length: number;
  readonly #method: string;
  readonly #lifetime: Lifetime;
  #reason: WireError | undefined;
  #controller: AbortController | undefined;
  #actions: (() => void)[] | undefined;
  #finished = false;

  constructor(id: RequestId | undefined, { method, length }: Received, lifetime: Lifetime) {
    this.id = id;
    this.length = length;
    this.#method = method;
    this.#lifetime = lifetime;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      this.#reason ??= this.#lifetime.reason;
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
      else if (!this.#finished) (this.#lifetime.watched ??= new Set()).add(this);
    }
    return this.#controller.signal;
  }

  get afterReply(): (action: () => void) => void {
    return (action) => {
      if (this.#finished) this.#run(action);
      else (this.#actions ??= []).push(action);
    };
  }

  /** Why the signal was aborted, once it was. */
  get reason(): WireError | undefined {
    return this.#reason;
  }

  abort(reason: WireError): void {
    if (this.#reason !== undefined || this.#finished) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }

  /** Called when the message was handled: runs the actions that waited for that. */
  finish(): void {
    this.#finished = true;
    if (this.#controller !== undefined) this.#lifetime.watched?.delete(this);
    if (this.#actions === undefined) return;
    for (const action of this.#actions) this.#run(action);
    this.#actions = undefined;
  }

  #run(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#lifetime.reports.error(error, this.#method);
    }
  }
}
