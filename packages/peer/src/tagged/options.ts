import type { Envelope, Protocol, RemoteError, RoleOf } from "@editwire/core";
import type { PeerOptions } from "../engine/index.js";

/** The facts about its protocol that a tagged peer needs. */
export interface TaggedWire<P extends Protocol> {
  /** The table that says which messages are calls, and which message answers each. */
  readonly protocol: P;
  /** The role that this side plays. */
  readonly self: RoleOf<P>;
  /** The envelopes of the messages. */
  readonly envelope: Envelope<RoleOf<P>>;
}

/** The options of a tagged peer. */
export interface TaggedOptions extends PeerOptions {
  /** Refuses messages in tolerated forms. Default false. */
  strict?: boolean | undefined;
  /**
   * Returns the params of the reply to a failed call; the field that names the call is added. Default: a failed call is
   * not answered, because tagged messages have no standard form for errors. If it throws, the error is reported and the
   * call is not answered.
   */
  failure?: ((error: RemoteError, call: string) => Readonly<Record<string, unknown>> | undefined) | undefined;
  /**
   * The counterpart of `failure`: returns the error with which a call rejects, or `undefined` for the reply of a call
   * that succeeded. If it throws, the call rejects with what it throws. Default: every reply is a success.
   */
  readFailure?: ((params: unknown, call: string) => Error | undefined) | undefined;
  /**
   * Returns the id of a call, which no other call of this process may have. Default: the name of the call and a number.
   */
  newId?: ((call: string, params: unknown) => string) | undefined;
  /** Returns the text of the report of a reply that no call waits for. */
  strayReply?: ((id: unknown) => string) | undefined;
}
