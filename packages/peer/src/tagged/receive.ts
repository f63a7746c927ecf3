import { isObject, methodOf, RemoteError } from "@editwire/core";
import type { WireError } from "@editwire/core/errors";
import { type Answers, type Received, receivedBy, type Receiver, type ReceiverParts, show } from "../engine/index.js";
import type { Dialect } from "./dialect.js";
import { unwrap } from "./envelope.js";
import { isCallId } from "./replies.js";

/** What the receiver of tagged messages needs. */
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
    const { protocol, self, theirs, byReply } = this.#parts.dialect;
    const message = unwrap(theirs, value, this.#isName);
    if (typeof message === "string")
      return reports.diagnostic("tagged.invalid-message", undefined, `ignored a message: ${message}`);
    const { name, params } = message;
    if (message.tolerated && !this.#tolerates(name)) return;
    const by = byReply.get(name);
    if (by !== undefined) return this.#acceptReply(name, by, params);
    const def = methodOf(protocol, name);
    if (def === undefined || def.from === self)
      return reports.diagnostic(
        "tagged.unknown-name",
        name.slice(0, 100),
        "ignored: the peer does not send this message",
      );
    const received = receivedBy(this.#parts, name, params, length);
    if (def.kind === "request") this.#acceptCall(received);
    else this.#parts.notifications.accept(received);
  }

  malformed(error: WireError): void {
    this.#parts.engine.reports.error(error, undefined);
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

  #acceptReply(name: string, by: string, params: unknown): void {
    const { calls, reports } = this.#parts.engine;
    const id = isObject(params) ? params[by] : undefined;
    const call = calls.take(id);
    if (call !== undefined) calls.settle(call, undefined, params);
    else if (!calls.forget(id))
      reports.diagnostic("tagged.unknown-reply", name, `no call waits for ${by} ${show(id)}; it is ignored`);
  }

  #acceptCall(received: Received): void {
    const { dialect, engine, answers, requests } = this.#parts;
    const { method, params } = received;
    const by = dialect.byCall.get(method)?.by ?? "id";
    const id = isObject(params) ? params[by] : undefined;
    if (isCallId(id)) return requests.accept(id, received);
    const json = answers.error("", method, RemoteError.invalidRequest(`${method}: "${by}" is missing or empty`));
    if (json !== undefined) engine.respond(json);
  }

  readonly #isName = (name: string): boolean => {
    const { protocol, byReply } = this.#parts.dialect;
    return methodOf(protocol, name) !== undefined || byReply.has(name);
  };
}
