import type { ConnectOptions, Profile } from "@editwire/core";
import type { PeerOptions } from "@editwire/peer";
import { checkBinding } from "./check-options.js";
import { checkObject } from "./checks.js";
import { type Listeners, safeListeners } from "./listeners.js";

/** The options that every way in of every binding takes. */
export interface BindingOptions extends Omit<ConnectOptions, "profile" | "onError" | "fallback">, PeerOptions {
  /** The dialect to speak. */
  profile?: Profile | undefined;
  /**
   * Milliseconds that the peer has to answer a helper which waits for no turn. Default 60,000. A spawned program that
   * may install another one first, such as `npx`, has at least 600,000 for its first answer.
   */
  timeoutMs?: number | undefined;
  /**
   * Called with errors that the peer does not receive: errors of handlers, and invalid values of this side. Default:
   * stderr, ten a second.
   */
  onError?: ((error: unknown, method: string | undefined) => void) | undefined;
}

/** How one helper asks the peer. */
export interface AskOptions {
  /** Aborting it rejects with `WireError("aborted")`. */
  signal?: AbortSignal | undefined;
  /** Milliseconds until it rejects with `WireError("timeout")`. Default: the connection's `timeoutMs`. */
  timeoutMs?: number | undefined;
}

/** The options of one call that are given: an `undefined` would replace a default that they are spread over. */
export function definedAsk({ signal, timeoutMs }: AskOptions): AskOptions {
  return { ...(signal === undefined ? {} : { signal }), ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}

/** A binding's options, by the part that takes them. */
export interface SplitOptions extends Listeners {
  /** For `connect`. */
  readonly connect: ConnectOptions;
  /** For the peer. */
  readonly peer: PeerOptions;
  readonly timeoutMs: number;
}

/**
 * Splits a binding's options for `connect` and for the peer. For error texts, `name` is the function that got them, and
 * `profiles` the object with the binding's profiles. Throws a `TypeError` for an option of the wrong type.
 */
export function splitOptions(name: string, profiles: string, options: BindingOptions): SplitOptions {
  checkBinding(name, profiles, options);
  const { profile, strict, maxUnhandled, maxQueued, maxRequests, maxCalls, onWire, timeoutMs = 60_000 } = options;
  const listeners = safeListeners(options);
  return {
    ...listeners,
    connect: { profile, strict, ...listeners },
    peer: { maxUnhandled, maxQueued, maxRequests, maxCalls, onWire },
    timeoutMs,
  };
}

const taken = new WeakSet<object>();

/**
 * Throws a `TypeError` for what is not a transport, and for a transport that has a connection. `name` is the function
 * that got it.
 */
export function claimTransport(name: string, transport: object): void {
  checkObject(name, "the transport", transport);
  if (!("start" in transport && "send" in transport))
    throw new TypeError(`${name}: expected the transport to be one of @editwire/transport, received an object`);
  if (taken.has(transport))
    throw new TypeError(`${name}: the transport has a connection already; create one transport for each connection`);
  taken.add(transport);
}
