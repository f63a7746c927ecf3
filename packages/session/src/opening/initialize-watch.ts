import {
  type Diagnostic,
  isObject,
  isRemoteError,
  isWireError,
  type Peer,
  type PeerHandler,
  WireError,
} from "@editwire/core";
import { ErrorCode } from "@editwire/core/errors";
import type { Program, Transport } from "@editwire/transport";
import { EchoWatch } from "./echo.js";
import type { Listeners } from "../options/listeners.js";
import { firstCall, flagHint, nameOf, namesAny, quoted, whenSilent, writtenBy } from "./silence.js";

/** A protocol that begins with `initialize`. */
export interface InitializedProtocol {
  readonly name: string;
  /** The text that a peer must write, for error texts. */
  readonly expects: string;
  /** Flags or subcommands with which many programs speak it. */
  readonly flags: readonly string[];
  /** The protocol that the peer may speak instead. */
  readonly other: OtherProtocol;
}

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

/** The line of a peer that cannot read headers. */
const parseErrorInLine = /^\{(?=.*"jsonrpc").*"error".*-32700/s;

/**
 * Watches how a peer answers `initialize`, so that errors can say what it does instead. While it has not answered,
 * `onError` is called once for text that is not a message, and once after five seconds.
 */
export class InitializeWatch {
  /** The peer to use. */
  readonly peer: Peer;
  readonly #protocol: InitializedProtocol;
  readonly #program: Program | undefined;
  readonly #onError: Listeners["onError"];
  readonly #echo: EchoWatch;
  /** Each takes this watch out of the way of the messages, for which it is needed once. */
  readonly #leave: (() => void)[] = [];
  #reject = (_error: WireError): void => {};
  #answer: unknown;
  #thrown: WireError | undefined;
  #noise: string | undefined;

  constructor(peer: Peer, protocol: InitializedProtocol, { program }: Transport, { onError }: Listeners) {
    this.#protocol = protocol;
    this.#program = program;
    this.#onError = onError;
    const direct = { request: peer.request.bind(peer), notify: peer.notify.bind(peer) };
    this.#echo = new EchoWatch(program);
    this.peer = {
      ...direct,
      request: (method, params, options) => {
        if (method !== "initialize") return peer.request(method, params, options);
        this.#echo.sends(method, params);
        return this.#watched(peer.request(method, params, firstCall(program, options)));
      },
      serve: (handler) => peer.serve(this.#watching(handler)),
      close: () => peer.close(),
      closed: peer.closed,
    };
    this.#leave.push(() => Object.assign(this.peer, direct));
  }

  /** A handler that is watched until the peer has answered. */
  #watching(handler: PeerHandler): PeerHandler {
    const diagnostic = (each: Diagnostic): void => {
      if (!this.#judge(each)) handler.diagnostic?.(each);
    };
    const request: PeerHandler["request"] = (method, params, context) => {
      const error = this.#echo.errorOf(method, params);
      if (error !== undefined) this.#reject(error);
      return handler.request(method, params, context);
    };
    const watching = { ...handler, diagnostic, request };
    this.#leave.push(() => Object.assign(watching, { diagnostic: handler.diagnostic, request: handler.request }));
    return watching;
  }

  /** Throws `WireError("invalid_result")` for an answer of the other protocol, which this one might accept. */
  check(): void {
    if (this.#speaksOther()) throw (this.#thrown = this.#error(undefined));
  }

  /** The error of a failed `initialize`, with what the peer wrote, and with what to call if it speaks the other one. */
  explain(error: unknown): unknown {
    if (error === this.#thrown) return error;
    const { params } = this.#protocol.other;
    const misses = isRemoteError(error, ErrorCode.InvalidParams) && params.some((each) => error.message.includes(each));
    if (misses || (this.#speaksOther() && isWireError(error, "invalid_result"))) return this.#error(error);
    if (isWireError(error, "timeout")) {
      const data = this.#program === undefined ? undefined : { stderr: this.#program.stderr };
      return new WireError("timeout", `${error.message}${this.#found()}`, { cause: error, data });
    }
    if (!isWireError(error) || (this.#noise === undefined && !hasEndedWell(error))) return error;
    const { code, message, data } = error;
    const noise = this.#noise === undefined ? "" : `; ${this.#noise}`;
    return new WireError(code, `${message}${noise}${this.#flagHint}`, { cause: error, data });
  }

  async #watched(answer: Promise<unknown>): Promise<unknown> {
    const stop = whenSilent("initialize", this.#program, (late) => this.#report(`${late}${this.#found()}`));
    const misread = new Promise<never>((_, reject) => (this.#reject = reject));
    try {
      return (this.#answer = await Promise.race([answer, misread]));
    } finally {
      for (const leave of this.#leave) leave();
      stop();
    }
  }

  /** Returns whether the diagnostic is reported as an error. */
  #judge({ id, message }: Diagnostic): boolean {
    const text = message.replace(/^skipped text that is not a message: /, "");
    if (id === "rpc.error-without-id" || (id === "rpc.noise" && parseErrorInLine.test(text))) {
      this.#reject(new WireError("invalid_result", `initialize: ${this.#who} cannot read it; ${this.#hint}`));
      return true;
    }
    if (id !== "rpc.noise" || this.#noise !== undefined) return false;
    const { name, expects } = this.#protocol;
    this.#noise = `what it wrote is not ${name}: ${quoted(text)}`;
    this.#report(`${this.#who}: ${this.#noise}; expected ${expects}`);
    return true;
  }

  #report(message: string): void {
    this.#onError(new WireError("not_connected", message), "initialize");
  }

  get #who(): string {
    return nameOf(this.#program);
  }

  get #hint(): string {
    const { name, use } = this.#protocol.other;
    return `if it speaks ${name}, use ${use}`;
  }

  get #flagHint(): string {
    const { name, flags } = this.#protocol;
    return flagHint(this.#program, name, flags);
  }

  /** The known facts about a peer that does not answer. One that was told to speak the protocol speaks no other one. */
  #found(): string {
    const isTold = this.#program !== undefined && namesAny(this.#program, this.#protocol.flags);
    const hints = isTold ? "" : `${this.#flagHint}; ${this.#hint}`;
    return `${writtenBy(this.#program, this.#noise)}${hints}`;
  }

  #speaksOther(): boolean {
    const answer = this.#answer;
    return isObject(answer) && this.#protocol.other.fields.some((field) => Object.hasOwn(answer, field));
  }

  #error(cause: unknown): WireError {
    const { name, use } = this.#protocol.other;
    return new WireError("invalid_result", `initialize: the peer speaks ${name}; use ${use}`, { cause });
  }
}

/** True for the end of a program that reports no failure: it was not started as a server. */
function hasEndedWell({ code, data }: WireError): boolean {
  return code === "closed" && isObject(data) && data["exitCode"] === 0;
}
