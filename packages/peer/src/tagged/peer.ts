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
 * call answers it. A field that both contain, and that this peer sets, matches the two.
 *
 * Messages are handled in the order of their arrival, those of one session one at a time. `request` rejects with a
 * `WireError`: `invalid_params` when the params have no JSON form, `timeout`, `aborted`, `overloaded`, `closed`; or
 * with what `readFailure` returns. `notify` throws `invalid_params`, `overloaded` or `closed`. Throws a `TypeError` for
 * a table whose calls lack a reply.
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
  #lastId = 0;

  constructor(transport: Transport, dialect: Dialect, options: TaggedOptions) {
    this.#dialect = dialect;
    this.#engine = new Engine(transport, options);
  }

  get closed(): Promise<WireError> {
    return this.#engine.closed;
  }

  async request(method: string, params: unknown, callOptions: CallOptions = {}): Promise<unknown> {
    const { mine, byCall } = this.#dialect;
    const { by } = byCall.get(method) ?? {};
    if (by === undefined) throw new WireError("invalid_params", `${method}: the table declares no reply for it`);
    const id = this.#newId(method, params, by);
    const whole = isObject(params) ? { [by]: id, ...params, [by]: id } : params;
    return this.#engine.calls.make(id, method, callOptions, () => wrap(mine, method, whole));
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

  /** A new id. Throws `invalid_params` when the option `newId` returned one that cannot name the call. */
  #newId(method: string, params: unknown, by: string): string {
    const { calls } = this.#engine;
    const { newId } = this.#dialect;
    if (newId === undefined) return `${method}-${++this.#lastId}`;
    const id = newId(method, params);
    if (!isCallId(id))
      throw new WireError("invalid_params", `${method}: ${by}: expected a string that is not empty from newId`);
    if (calls.expects(id))
      throw new WireError("invalid_params", `${method}: a call with the ${by} ${show(id)} is already waiting`);
    return id;
  }
}
