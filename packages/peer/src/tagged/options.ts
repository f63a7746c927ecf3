import type { Envelope, Protocol, RemoteError, RoleOf } from "@editwire/core";
import type { PeerOptions } from "../engine/index.js";

/** What a tagged peer has to know of its protocol. */
export interface TaggedWire<P extends Protocol> {
  /** The table that says which messages are calls, and which message answers each. */
  readonly protocol: P;
  /** The role that this side plays. */
  readonly self: RoleOf<P>;
  /** The outside of the messages. */
  readonly envelope: Envelope<RoleOf<P>>;
}

/** How a tagged peer speaks, and its limits. */
export interface TaggedOptions extends PeerOptions {
  /** Refuse messages in forms that are only tolerated. Default false. */
  strict?: boolean | undefined;
  /**
   * Makes the params of the reply to a call that failed; the field that names the call is added. Default: such a call
   * is not answered, since a tagged dialect has no errors of its own. What it throws is reported, and the call is not
   * answered either.
   */
  failure?: ((error: RemoteError, call: string) => Readonly<Record<string, unknown>> | undefined) | undefined;
}
