import { isObject, isRemoteError, isWireError, type Peer, WireError } from "@editwire/core";
import { ErrorCode } from "@editwire/core/errors";

/** Another protocol that begins with `initialize`, and what shows that a peer speaks it. */
export interface OtherProtocol {
  readonly name: string;
  /** Fields of its answer that this protocol does not have. */
  readonly fields: readonly string[];
  /** Params that it requires and this protocol does not have: a peer that misses one answers -32602 and names it. */
  readonly params: readonly string[];
  /** The functions to call instead, for the error's text. */
  readonly use: string;
}

/** Watches how a peer answers `initialize`, so that an error can say which protocol it speaks. */
export class InitializeWatch {
  /** The peer to use. */
  readonly peer: Peer;
  readonly #other: OtherProtocol;
  #answer: unknown;
  #thrown: WireError | undefined;

  constructor(peer: Peer, other: OtherProtocol) {
    this.#other = other;
    this.peer = {
      request: (method, params, options) => {
        const answer = peer.request(method, params, options);
        if (method === "initialize")
          answer.then(
            (result) => (this.#answer = result),
            () => {}, // the caller gets the error
          );
        return answer;
      },
      notify: (method, params) => peer.notify(method, params),
      serve: (handler) => peer.serve(handler),
      close: () => peer.close(),
      closed: peer.closed,
    };
  }

  /** Throws `WireError("invalid_result")` for an answer of the other protocol, which this one might accept. */
  check(): void {
    if (this.#speaksOther()) throw (this.#thrown = this.#error(undefined));
  }

  /** The error of a failed `initialize`: one that names the function to call, if the peer speaks the other protocol. */
  explain(error: unknown): unknown {
    if (error === this.#thrown) return error;
    const { name, params, use } = this.#other;
    const misses = isRemoteError(error, ErrorCode.InvalidParams) && params.some((each) => error.message.includes(each));
    if (misses || (this.#speaksOther() && isWireError(error, "invalid_result"))) return this.#error(error);
    if (!isWireError(error, "timeout")) return error;
    const { message, data } = error;
    return new WireError("timeout", `${message}; if it speaks ${name}, use ${use}`, { cause: error, data });
  }

  #speaksOther(): boolean {
    const answer = this.#answer;
    return isObject(answer) && this.#other.fields.some((field) => Object.hasOwn(answer, field));
  }

  #error(cause: unknown): WireError {
    const { name, use } = this.#other;
    return new WireError("invalid_result", `initialize: the peer speaks ${name}; use ${use}`, { cause });
  }
}
