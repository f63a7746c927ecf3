import { methodOf, RemoteError, type Reply } from "@editwire/core";
import { ErrorCode, WireError } from "@editwire/core/errors";
import { type Answers, type Received, receivedBy, type Receiver, type ReceiverParts, show } from "../engine/index.js";
import { lossOf, unreadable } from "../json-rpc/lost.js";
import type { Dialect } from "./dialect.js";
import { unwrap } from "./envelope.js";
import { isCallId, withoutAlias } from "./replies.js";

/** The parts of the peer that the receiver of tagged messages uses. */
interface Parts extends ReceiverParts {
  readonly dialect: Dialect;
  readonly answers: Answers;
}

/** Distinguishes calls, notifications and replies by their names. */
export class TaggedReceiver implements Receiver {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  message(value: unknown, length: number): void {
    const { reports } = this.#parts.engine;
    const { protocol, self, theirs, byCall, byReply } = this.#parts.dialect;
    const message = unwrap(theirs, value, this.#isName);
    if (typeof message === "string")
      return reports.diagnostic("tagged.invalid-message", undefined, `ignored a message: ${message}`);
    const { name } = message;
    const reply = byReply.get(name) ?? byCall.get(name);
    const unaliased = reply && withoutAlias(message.params, reply);
    if ((message.tolerated || unaliased !== undefined) && !this.#tolerates(name)) return;
    const params = unaliased ?? message.params;
    if (reply?.name === name) return this.#acceptReply(reply, params);
    const def = methodOf(protocol, name);
    if (def === undefined || def.from === self)
      return reports.diagnostic(
        "tagged.unknown-name",
        name.slice(0, 100),
        "ignored: the peer does not send this message",
      );
    const received = receivedBy(this.#parts, name, params, length);
    if (def.kind === "request") this.#acceptCall(received, params[reply?.by ?? "id"]);
    else this.#parts.notifications.accept(received);
  }

  malformed(error: WireError, value?: unknown): void {
    const { engine } = this.#parts;
    const { found, excerpt } = lossOf(error);
    if (found === "glued") return engine.reports.diagnostic("tagged.glued", undefined, `${error.message}: ${excerpt}`);
    engine.reports.error(error, undefined);
    if (found !== "quoted") this.#lose(value, error, found !== "binary");
  }

  /** Fails the call whose reply cannot be read, and refuses a call that cannot be read if its sender waits. */
  #lose(value: unknown, error: WireError, isAwaited: boolean): void {
    const { theirs, byCall, byReply } = this.#parts.dialect;
    const message = unwrap(theirs, value, this.#isName);
    if (typeof message === "string") return;
    const { name } = message;
    const reply = byReply.get(name) ?? byCall.get(name);
    if (reply === undefined) return;
    const id = (withoutAlias(message.params, reply) ?? message.params)[reply.by];
    if (name === reply.name) this.#loseReply(id, error);
    else if (isAwaited && isCallId(id))
      this.#parts.requests.refuse(id, name, new RemoteError(ErrorCode.ParseError, `${name}: ${error.message}`));
  }

  #loseReply(id: unknown, error: WireError): void {
    const { calls } = this.#parts.engine;
    const call = calls.take(id);
    if (call === undefined) return void calls.forget(id);
    calls.settle(call, new WireError("invalid_result", `${call.method}: ${unreadable(error)}`), undefined);
  }

  /** Reports a form that is only tolerated; says whether the message is read. */
  #tolerates(name: string): boolean {
    const { dialect, engine } = this.#parts;
    const what = dialect.strict
      ? "ignored: not in the form of the protocol"
      : "read, although it is not in the form of the protocol";
    engine.reports.diagnostic("tagged.form", name, what);
    return !dialect.strict;
  }

  #acceptReply({ name, by }: Reply, params: Readonly<Record<string, unknown>>): void {
    const { calls, reports } = this.#parts.engine;
    const id = params[by];
    const call = calls.take(id);
    if (call !== undefined) return calls.settle(call, this.#failureIn(params, call.method), params);
    const isLate = calls.forget(id);
    const why = isLate ? `the call ${show(id)} is over` : `no call waits for ${by} ${show(id)}`;
    const text = this.#parts.dialect.strayReply?.(id) ?? `${why}; it is ignored`;
    reports.diagnostic(isLate ? "tagged.late-reply" : "tagged.unknown-reply", name, text);
  }

  #failureIn(params: unknown, call: string): Error | undefined {
    try {
      return this.#parts.dialect.readFailure?.(params, call);
    } catch (error) {
      return error as Error;
    }
  }

  #acceptCall(received: Received, id: unknown): void {
    const { engine, answers, requests } = this.#parts;
    const { method } = received;
    if (isCallId(id)) return requests.accept(id, received);
    const by = this.#parts.dialect.byCall.get(method)?.by ?? "id";
    const json = answers.error("", method, RemoteError.invalidRequest(`${method}: "${by}" is missing or empty`));
    if (json !== undefined) engine.respond(json);
  }

  readonly #isName = (name: string): boolean => {
    const { protocol, byReply } = this.#parts.dialect;
    return methodOf(protocol, name) !== undefined || byReply.has(name);
  };
}
