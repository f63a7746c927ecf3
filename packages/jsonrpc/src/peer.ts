import type { Peer } from "@editwire/core";
import { createEngine } from "@editwire/engine";
import type { Transport } from "@editwire/transport";
import { answers, encodeMessage } from "./messages.js";
import type { JsonRpcOptions } from "./options.js";
import { receiver } from "./receive.js";
import { routedEncoder, routedHandler } from "./route.js";

/**
 * A JSON-RPC 2.0 peer over a transport.
 *
 * Messages are handled in the order of their arrival, those of one session one at a time. `request` rejects with the
 * peer's `RemoteError` or with a `WireError`: `invalid_params` when the params have no JSON form, `timeout`, `aborted`,
 * `overloaded`, `closed`. `notify` throws `invalid_params`, `overloaded` or `closed`.
 */
export function jsonRpcPeer(transport: Transport, options: JsonRpcOptions = {}): Peer {
  const { cancel, route } = options;
  const encode = route === undefined ? encodeMessage : routedEncoder(route);
  let lastId = 0;

  const engine = createEngine(transport, options, ({ key }) => {
    if (cancel === undefined) return;
    try {
      engine.send(encodeMessage(undefined, cancel.method, cancel.params(key)));
    } catch (error) {
      engine.reports.error(error, cancel.method);
    }
  });
  const { calls, reports, respond } = engine;

  return {
    closed: engine.closed,
    request: (method, params, callOptions = {}) => calls.make(++lastId, method, callOptions, (id) => encode(id as number, method, params)),
    notify: (method, params) => engine.notify(method, () => encode(undefined, method, params)),
    serve(given) {
      const handler = route === undefined ? given : routedHandler(route, given);
      engine.start(handler, answers, (requests, notifications) =>
        receiver({ handler, calls, requests, notifications, respond, reports, cancel }),
      );
    },
    close: () => engine.close(),
  };
}
