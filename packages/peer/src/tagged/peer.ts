import { isObject, methodOf, type Peer, type Protocol, RemoteError, WireError } from "@editwire/core";
import { type Answers, Engine, type Received, type Requests, sessionOf, show } from "../engine/index.js";
import type { Transport } from "@editwire/transport";
import { unwrap, wrap } from "./envelope.js";
import type { TaggedOptions, TaggedWire } from "./options.js";
import { isCallId, repliesOf } from "./replies.js";

/**
 * A peer for messages that carry their name in an envelope. A call is answered by the message that the table declares as its
 * `reply`, matched by a field that both carry and that the caller fills.
 *
 * Messages are handled in the order of their arrival, those of one session one at a time. `request` rejects with a `WireError`:
 * `invalid_params` when the params have no JSON form or name no call of their own, `timeout`, `aborted`, `overloaded`, `closed`.
 * `notify` throws `invalid_params`, `overloaded` or `closed`. Throws a `TypeError` for a table whose calls lack a reply.
 */
export function taggedPeer<P extends Protocol>(
  transport: Transport,
  wire: TaggedWire<P>,
  options: TaggedOptions = {},
): Peer {
  const { protocol, self, envelope } = wire;
  const { strict = false, failure } = options;
  const other = protocol.roles.find((role) => role !== self) ?? self;
  const forms = envelope as Readonly<Record<string, (typeof envelope)[keyof typeof envelope]>>;
  const mine = formsOf(forms, self);
  const theirs = formsOf(forms, other);
  const { byCall, byReply } = repliesOf(protocol);
  const engine = new Engine(transport, options);
  const { calls, reports } = engine;

  /** The reply to a call of theirs; the id may be missing, and is then empty. */
  const reply = (call: string, id: string | number, params: Readonly<Record<string, unknown>>): string => {
    const { name, by } = byCall.get(call) ?? { name: call, by: "id" };
    return wrap(mine, name, { ...params, [by]: id });
  };
  const failed = (call: string, id: string | number, error: RemoteError): string | undefined => {
    let told: unknown = error;
    try {
      const params = failure?.(error, call);
      if (params !== undefined) return reply(call, id, params);
    } catch (thrown) {
      if (error.data !== undefined) throw thrown; // the engine tries again without them
      told = thrown;
    }
    reports.error(told, call);
    return undefined;
  };
  const answers: Answers = {
    result: (id, call, result) => reply(call, id, isObject(result) ? result : {}),
    error: (id, call, error) => failed(call, id, error),
    duplicate(id, call) {
      reports.diagnostic("tagged.duplicate", call, `the call ${show(id)} runs already; it is not started again`);
      return undefined;
    },
  };

  const isName = (name: string): boolean => methodOf(protocol, name) !== undefined || byReply.has(name);

  const acceptReply = (name: string, by: string, params: unknown): void => {
    const id = isObject(params) ? params[by] : undefined;
    const call = calls.take(id);
    if (call !== undefined) calls.settle(call, undefined, params);
    else if (!calls.forget(id))
      reports.diagnostic("tagged.unknown-reply", name, `no call waits for ${by} ${show(id)}; it is ignored`);
  };

  const acceptCall = (requests: Requests, received: Received): void => {
    const { method: name, params } = received;
    const by = byCall.get(name)?.by ?? "id";
    const id = isObject(params) ? params[by] : undefined;
    if (isCallId(id)) return requests.accept(id, received);
    const json = failed(name, "", RemoteError.invalidRequest(`${name}: "${by}" is missing or empty`));
    if (json !== undefined) engine.respond(json);
  };

  return {
    closed: engine.closed,
    async request(method, params, callOptions = {}) {
      const by = byCall.get(method)?.by;
      const id = by !== undefined && isObject(params) ? params[by] : undefined;
      if (!isCallId(id))
        throw new WireError(
          "invalid_params",
          `${method}: ${by === undefined ? "no message answers it" : `"${by}" must name the call`}`,
        );
      if (calls.waits(id))
        throw new WireError("invalid_params", `${method}: a call with the ${by} ${show(id)} waits already`);
      calls.forget(id);
      return calls.make(id, method, callOptions, () => wrap(mine, method, params));
    },
    notify: (method, params) => engine.notify(method, () => wrap(mine, method, params)),
    serve(handler) {
      engine.start(handler, answers, (requests, notifications) => ({
        message(value, length) {
          const message = unwrap(theirs, value, isName);
          if (typeof message === "string")
            return reports.diagnostic("tagged.invalid-message", undefined, `ignored a message: ${message}`);
          const { name, params } = message;
          if (message.tolerated) {
            reports.diagnostic(
              "tagged.form",
              name,
              strict
                ? "ignored: not in the form of the protocol"
                : "read, though it is not in the form of the protocol",
            );
            if (strict) return;
          }
          const by = byReply.get(name);
          const def = methodOf(protocol, name);
          if (by !== undefined) acceptReply(name, by, params);
          else if (def === undefined || def.from === self)
            reports.diagnostic("tagged.unknown-name", name.slice(0, 100), "ignored: the peer sends no such message");
          else {
            const received = { method: name, params, session: sessionOf(handler, reports, name, params), length };
            if (def.kind === "request") acceptCall(requests, received);
            else notifications.accept(received);
          }
        },
        malformed: (error) => reports.error(error, undefined),
      }));
    },
    close: () => engine.close(),
  };
}

function formsOf<F>(envelope: Readonly<Record<string, F>>, role: string): F {
  const forms = envelope[role];
  if (forms === undefined) throw new TypeError(`the envelope has no form for the role "${role}"`);
  return forms;
}
