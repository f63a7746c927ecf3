import type { PeerHandler } from "@editwire/core";
import { isWireError, WireError } from "@editwire/core/errors";
import type { Transport } from "@editwire/transport";
import { type Call, closedError } from "./call.js";
import { Calls, type Outlet } from "./calls.js";
import { endLifetime, type Lifetime } from "./context.js";
import { Flow } from "./flow.js";
import { Lanes } from "./lanes.js";
import { Notifications } from "./notifications.js";
import { Reports } from "./reports.js";
import { type Answers, Requests } from "./requests.js";
import { watched } from "./on-wire.js";
import { limitsOf, type PeerOptions } from "./options.js";

/** Receives the transport's messages, and reports of bytes that are not a message. */
export interface Receiver {
  message(value: unknown, length: number): void;
  malformed(error: WireError, value?: unknown): void;
}

/**
 * The part of a peer that does not depend on the form of its messages: order, flow, pending calls, the end. Its calls
 * also send through it. It is a class because each connection has one, and closures would need more memory.
 */
export class Engine implements Outlet {
  readonly reports = new Reports();
  readonly lanes: Lanes;
  readonly flow: Flow;
  readonly calls: Calls;
  /** Resolves with the reason once closed, from either end. */
  readonly closed: Promise<WireError>;
  readonly #wire: Transport;
  readonly #maxRequests: number;
  readonly #lifetime: Lifetime = { reason: undefined, watched: undefined, reports: this.reports };
  /** No gate: `closed` carries the reason, and is resolved once. */
  #resolveClosed: (reason: WireError) => void = () => {};

  /** `onGiveUp` is called with a call whose caller stopped waiting before its reply arrived. */
  constructor(transport: Transport, options: PeerOptions, onGiveUp?: (call: Call) => void) {
    const limits = limitsOf(options);
    this.#wire = options.onWire === undefined ? transport : watched(transport, options.onWire);
    this.#maxRequests = limits.maxRequests;
    this.lanes = new Lanes(() => this.flow.recheck());
    this.flow = new Flow(limits, this.lanes);
    this.calls = new Calls(this, limits.maxCalls, onGiveUp);
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
  }

  /**
   * Sends a message without waiting for a slow peer, because the caller waits for the reply anyway. Throws what the
   * transport throws.
   */
  send(json: string): void {
    this.#wire.send(json)?.then(undefined, () => {});
  }

  /**
   * Sends a notification; returns a promise only when the peer is slow. Throws `closed` after the connection has
   * closed.
   */
  notify(method: string, encode: () => string): void | Promise<void> {
    const { reason } = this.#lifetime;
    if (reason !== undefined) throw closedError(method, reason);
    return this.#wire.send(encode());
  }

  /**
   * Sends an answer. An answer that cannot be sent closes the connection, because the peer would wait for it forever.
   */
  respond(json: string): void {
    try {
      const room = this.#wire.send(json);
      if (room !== undefined) this.flow.slow(room, json.length);
    } catch (error) {
      if (isWireError(error, "closed")) return;
      this.reports.error(error, undefined);
      void this.#wire.close();
    }
  }

  /** Starts reading; `receiver` is called once and returns the receiver of the messages. */
  start(
    handler: PeerHandler,
    answers: Answers,
    receiver: (requests: Requests, notifications: Notifications) => Receiver,
  ): void {
    const lifetime = this.#lifetime;
    const { lanes, flow, calls } = this;
    const requests = new Requests({
      outlet: this,
      answers,
      handler,
      lanes,
      calls,
      lifetime,
      maxRequests: this.#maxRequests,
    });
    const receiving = receiver(requests, new Notifications({ handler, lanes, lifetime }));
    this.reports.handler = handler;
    this.#wire.start({
      message(value, length) {
        receiving.message(value, length);
        if (flow.full) calls.overload();
        return flow.gate();
      },
      malformed: (error, value) => receiving.malformed(error, value),
      closed: (reason) => this.#end(reason),
    });
  }

  async close(): Promise<void> {
    await this.#wire.close();
    this.#end(new WireError("closed", "closed by this side"));
  }

  #end(why: WireError): void {
    if (this.#lifetime.reason !== undefined) return;
    endLifetime(this.#lifetime, why);
    this.calls.close(why);
    this.flow.open();
    this.#resolveClosed(why);
  }
}
