import type { CallOptions, Peer, PeerHandler } from "@editwire/core";
import type { WireError } from "@editwire/core/errors";
import { Engine } from "../engine/index.js";
import type { Transport } from "@editwire/transport";
import { answers, encodeMessage } from "./messages.js";
import type { JsonRpcOptions } from "./options.js";
import { JsonRpcReceiver } from "./receive.js";
import { routedEncoder, routedHandler } from "./route.js";

/**
 * A JSON-RPC 2.0 peer over a transport.
 *
 * Messages are handled in the order of their arrival, those of one session one at a time. `request` rejects with the
 * peer's `RemoteError` or with a `WireError`: `invalid_params` when the params have no JSON form, `timeout`, `aborted`,
 * `overloaded`, `closed`. `notify` throws `invalid_params`, `overloaded` or `closed`.
 */
export function jsonRpcPeer(transport: Transport, options: JsonRpcOptions = {}): Peer {
  return new JsonRpcPeer(transport, options);
}

class JsonRpcPeer implements Peer {
  readonly #engine: Engine;
  readonly #options: JsonRpcOptions;
  readonly #encode: typeof encodeMessage;
  #lastId = 0;

  constructor(transport: Transport, options: JsonRpcOptions) {
    const { route, cancel } = options;
    this.#options = options;
    this.#encode = route === undefined ? encodeMessage : routedEncoder(route);
    this.#engine = new Engine(transport, options, cancel && (({ key }) => this.#tellCancelled(key as number)));
  }

  get closed(): Promise<WireError> {
    return this.#engine.closed;
  }

  request(method: string, params: unknown, callOptions: CallOptions = {}): Promise<unknown> {
    return this.#engine.calls.make(++this.#lastId, method, callOptions, (id) =>
      this.#encode(id as number, method, params),
    );
  }

  notify(method: string, params: unknown): void | Promise<void> {
    return this.#engine.notify(method, () => this.#encode(undefined, method, params));
  }

  serve(given: PeerHandler): void {
    const { route, cancel, noise = "answer" } = this.#options;
    const engine = this.#engine;
    const handler = route === undefined ? given : routedHandler(route, given);
    engine.start(
      handler,
      answers,
      (requests, notifications) => new JsonRpcReceiver({ engine, handler, requests, notifications, cancel, noise }),
    );
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  #tellCancelled(id: number): void {
    const { cancel } = this.#options;
    if (cancel === undefined) return;
    try {
      const params = cancel.params(id);
      if (params !== undefined) this.#engine.send(encodeMessage(undefined, cancel.method, params));
    } catch (error) {
      this.#engine.reports.error(error, cancel.method);
    }
  }
}
