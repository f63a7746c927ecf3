import { type CallOptions, isObject, type Peer, type PeerHandler, type Protocol, WireError } from "@editwire/core";
import type { Transport } from "@editwire/transport";
import { Engine, show } from "../engine/index.js";
import { TaggedAnswers } from "./answers.js";
import { type Dialect, dialectOf } from "./dialect.js";
import { wrap } from "./envelope.js";
import type { TaggedOptions, TaggedWire } from "./options.js";
import { TaggedReceiver } from "./receive.js";
import { isCallId } from "./replies.js";

/**
 * A peer for messages that carry their name in an envelope. The message that the table declares as the `reply` of a
 * call answers it. A field that both contain, and that the caller sets, matches the two.
 *
 * Messages are handled in the order of their arrival, those of one session one at a time. `request` rejects with a
 * `WireError`: `invalid_params` when the params have no JSON form or name no call of their own, `timeout`, `aborted`,
 * `overloaded`, `closed`. `notify` throws `invalid_params`, `overloaded` or `closed`. Throws a `TypeError` for a table
 * whose calls lack a reply.
 */
export function taggedPeer<P extends Protocol>(
  transport: Transport,
  wire: TaggedWire<P>,
  options: TaggedOptions = {},
): Peer {
  return new TaggedPeer(transport, dialectOf(wire, options), options);
}

class TaggedPeer implements Peer {
  readonly #dialect: Dialect;
  readonly #engine: Engine;

  constructor(transport: Transport, dialect: Dialect, options: TaggedOptions) {
    this.#dialect = dialect;
    this.#engine = new Engine(transport, options);
  }

  get closed(): Promise<WireError> {
    return this.#engine.closed;
  }

  async request(method: string, params: unknown, callOptions: CallOptions = {}): Promise<unknown> {
    const { mine } = this.#dialect;
    return this.#engine.calls.make(this.#idOf(method, params), method, callOptions, () => wrap(mine, method, params));
  }

  notify(method: string, params: unknown): void | Promise<void> {
    return this.#engine.notify(method, () => wrap(this.#dialect.mine, method, params));
  }

  serve(handler: PeerHandler): void {
    const dialect = this.#dialect;
    const engine = this.#engine;
    const answers = new TaggedAnswers(dialect, engine.reports);
    engine.start(
      handler,
      answers,
      (requests, notifications) => new TaggedReceiver({ dialect, engine, answers, handler, requests, notifications }),
    );
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  /**
   * The id of a call, from the field that its reply carries, too. Throws `invalid_params` when it cannot name the
   * call.
   */
  #idOf(method: string, params: unknown): string | number {
    const { calls } = this.#engine;
    const by = this.#dialect.byCall.get(method)?.by;
    const id = by !== undefined && isObject(params) ? params[by] : undefined;
    if (!isCallId(id)) {
      const why = by === undefined ? "the table declares no reply for it" : `"${by}" must name the call`;
      throw new WireError("invalid_params", `${method}: ${why}`);
    }
    if (calls.waits(id))
      throw new WireError("invalid_params", `${method}: a call with the ${by} ${show(id)} is already waiting`);
    calls.forget(id);
    return id;
  }
}
