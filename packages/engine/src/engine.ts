import type { PeerHandler } from "@editwire/core";
import { isWireError, WireError } from "@editwire/core/errors";
import type { Transport } from "@editwire/transport";
import { type Call, closedError } from "./call.js";
import { Calls } from "./calls.js";
import { endLifetime, type Lifetime } from "./context.js";
import { Flow } from "./flow.js";
import { Lanes } from "./lanes.js";
import { type AcceptNotification, notificationsOf } from "./notifications.js";
import { Reports } from "./reports.js";
import { type Answers, Requests } from "./requests.js";
import { type Tap, tapped } from "./tap.js";

/** How much a peer lets pile up, on any wire. */
export interface EngineOptions {
  /** Notifications whose handlers have not finished, above which reading pauses. Default 256. */
  maxUnhandled?: number | undefined;
  /**
   * The same while a call awaits its reply, when a pause could keep that reply out. Default 16,384. Above it such calls
   * reject with `overloaded`.
   */
  maxQueued?: number | undefined;
  /** Requests of the peer that are not answered yet; one more is refused. Default 1,024. */
  maxRequests?: number | undefined;
  /** Sees every message as a value, before it is handled or after it was sent. What it throws is ignored. */
  tap?: Tap | undefined;
}

/** What takes the transport's messages, and reports of bytes that are none. */
export interface Receiver {
  message(value: unknown): void;
  malformed(error: WireError): void;
}

/** What every peer engine has, whatever its messages look like. */
export interface Engine {
  readonly calls: Calls;
  readonly reports: Reports;
  /** Resolves with the reason once closed, from either end. */
  readonly closed: Promise<WireError>;
  /** Sends what nobody here waits to see taken. Throws what the transport throws. */
  send(json: string): void;
  /** Sends a notification; a promise comes back only when the peer is slow. Throws `closed` once the connection is over. */
  notify(method: string, encode: () => string): void | Promise<void>;
  /** Sends an answer. One that cannot be sent ends the connection: the peer would wait for it for ever. */
  respond(json: string): void;
  /** Starts reading; `receiver` is asked once for what takes the messages. */
  start(handler: PeerHandler, answers: Answers, receiver: (requests: Requests, notifications: AcceptNotification) => Receiver): void;
  close(): Promise<void>;
}

/** Makes the part of a peer that does not depend on its wire: order, flow, pending calls, the end. */
export function createEngine(transport: Transport, options: EngineOptions, onGiveUp?: (call: Call) => void): Engine {
  const { tap, maxUnhandled = 256, maxQueued = 16_384, maxRequests = 1_024 } = options;
  const wire = tap === undefined ? transport : tapped(transport, tap);
  const reports = new Reports();
  const lifetime: Lifetime = { reason: undefined, watched: new Set(), reports };
  const lanes: Lanes = new Lanes(() => flow.recheck());
  const flow = new Flow({ maxUnhandled, maxQueued: Math.max(maxUnhandled, maxQueued) }, lanes);

  /** A call needs no word of a slow peer: its caller waits anyway. */
  const send = (json: string): void => {
    wire.send(json)?.then(undefined, () => {});
  };
  const calls = new Calls({ send, lanes, flow, onGiveUp });

  const respond = (json: string): void => {
    try {
      const room = wire.send(json);
      if (room !== undefined) flow.slow(room, json.length);
    } catch (error) {
      if (isWireError(error, "closed")) return;
      reports.error(error, undefined);
      void wire.close();
    }
  };

  let resolveClosed = (_reason: WireError): void => {};
  const closed = new Promise<WireError>((resolve) => (resolveClosed = resolve));
  const end = (why: WireError): void => {
    if (lifetime.reason !== undefined) return;
    endLifetime(lifetime, why);
    calls.close(why);
    flow.open();
    resolveClosed(why);
  };

  return {
    calls,
    reports,
    closed,
    send,
    respond,
    notify(method, encode) {
      if (lifetime.reason !== undefined) throw closedError(method, lifetime.reason);
      return wire.send(encode());
    },
    start(handler, answers, receiver) {
      const requests = new Requests({ respond, answers, handler, lanes, lifetime, maxRequests });
      const { message, malformed } = receiver(requests, notificationsOf({ handler, lanes, lifetime }));
      reports.handler = handler;
      wire.start({
        message(value) {
          message(value);
          if (flow.full) calls.overload();
          return flow.gate();
        },
        malformed,
        closed: end,
      });
    },
    async close() {
      await wire.close();
      end(new WireError("closed", "closed by this side"));
    },
  };
}
