import type { Peer } from "@editwire/core";
import { isWireError, WireError } from "@editwire/core/errors";
import type { Transport } from "@editwire/transport";
import { closedError } from "./call.js";
import { Calls } from "./calls.js";
import { endLifetime, type Lifetime } from "./context.js";
import { Flow } from "./flow.js";
import { Lanes } from "./lanes.js";
import { encodeMessage } from "./messages.js";
import { notificationsOf } from "./notifications.js";
import type { JsonRpcOptions } from "./options.js";
import { receiver } from "./receive.js";
import { Reports } from "./reports.js";
import { Requests } from "./requests.js";
import { routedEncoder, routedHandler } from "./route.js";
import { tapped } from "./tap.js";

/**
 * A JSON-RPC 2.0 peer over a transport.
 *
 * Messages are handled in the order of their arrival, those of one session one at a time. `request` rejects with the
 * peer's `RemoteError` or with a `WireError`: `invalid_params` when the params have no JSON form, `timeout`, `aborted`,
 * `overloaded`, `closed`. `notify` throws `invalid_params`, `overloaded` or `closed`.
 */
export function jsonRpcPeer(transport: Transport, options: JsonRpcOptions = {}): Peer {
  const { cancel, route, tap, maxUnhandled = 256, maxQueued = 16_384, maxRequests = 1_024 } = options;
  const wire = tap === undefined ? transport : tapped(transport, tap);
  const encode = route === undefined ? encodeMessage : routedEncoder(route);
  const reports = new Reports();
  const lifetime: Lifetime = { reason: undefined, watched: new Set(), reports };
  const lanes: Lanes = new Lanes(() => flow.recheck());
  const flow = new Flow({ maxUnhandled, maxQueued: Math.max(maxUnhandled, maxQueued) }, lanes);

  /** A call needs no word of a slow peer: its caller waits anyway. */
  const send = (json: string): void => {
    wire.send(json)?.then(undefined, () => {});
  };
  const calls = new Calls({ encode, send, lanes, flow, reports, cancel });

  const respond = (json: string): void => {
    try {
      const room = wire.send(json);
      if (room !== undefined) flow.slow(room, json.length);
    } catch (error) {
      if (isWireError(error, "closed")) return;
      // The peer would wait for this answer for ever.
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
    closed,
    request: (method, params, callOptions = {}) => calls.make(method, params, callOptions),
    notify(method, params) {
      if (lifetime.reason !== undefined) throw closedError(method, lifetime.reason);
      return wire.send(encode(undefined, method, params));
    },
    serve(given) {
      const handler = route === undefined ? given : routedHandler(route, given);
      const requests = new Requests({ respond, handler, lanes, lifetime, maxRequests });
      const notifications = notificationsOf({ handler, lanes, lifetime });
      const { message, malformed } = receiver({ handler, calls, requests, notifications, respond, reports, cancel });
      reports.handler = given;
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
