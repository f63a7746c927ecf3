import type { ConnectOptions, Profile } from "@editwire/core";
import type { PeerOptions } from "@editwire/peer";
import { type Listeners, safeListeners } from "./listeners.js";

/** The options that every way in of every binding takes. */
export interface BindingOptions extends Omit<ConnectOptions, "profile" | "onError">, PeerOptions {
  /** The dialect to speak. */
  profile?: Profile | undefined;
  /** Milliseconds that the peer has to answer a helper which waits for no turn. Default 60,000. */
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

/** A binding's options, by the part that takes them. */
export interface SplitOptions extends Listeners {
  /** For `connect`. */
  readonly connect: ConnectOptions;
  /** For the peer. */
  readonly peer: PeerOptions;
  readonly timeoutMs: number;
}

const numbers = ["maxUnhandled", "maxQueued", "maxRequests", "maxCalls", "timeoutMs"] as const;
const functions = ["onDiagnostic", "onError", "onWire"] as const;

/**
 * Splits a binding's options for `connect` and for the peer. For error texts, `name` is the function that got them, and
 * `profiles` the object with the binding's profiles. Throws a `TypeError` for an option of the wrong type.
 */
export function splitOptions(name: string, profiles: string, options: BindingOptions): SplitOptions {
  checkObject(name, "options", options);
  for (const key of numbers) checkNumber(name, key, options[key]);
  for (const key of functions) checkFunction(name, key, options[key]);
  checkProfile(name, profiles, options.profile);
  const { profile, strict, maxUnhandled, maxQueued, maxRequests, maxCalls, onWire, timeoutMs = 60_000 } = options;
  const listeners = safeListeners(options);
  return {
    ...listeners,
    connect: { profile, strict, ...listeners },
    peer: { maxUnhandled, maxQueued, maxRequests, maxCalls, onWire },
    timeoutMs,
  };
}

/** Throws a `TypeError` for a value that is not an object. */
export function checkObject(name: string, what: string, value: unknown): void {
  if (typeof value !== "object" || value === null)
    throw new TypeError(`${name}: expected ${what} to be an object, received ${shown(value)}`);
}

/** Throws a `TypeError` for a value that is not an object with the handler `key` of a turn. */
export function checkHandler(name: string, what: string, value: unknown, key: string): void {
  checkObject(name, what, value);
  const handler = (value as Readonly<Record<string, unknown>>)[key];
  if (typeof handler !== "function")
    throw new TypeError(`${name}: expected ${what} to have a function ${key}(turn), received ${shown(handler)}`);
}

/** Throws a `TypeError` for a value that is not an array. */
export function checkArray(name: string, what: string, value: unknown): void {
  if (!Array.isArray(value)) throw new TypeError(`${name}: expected ${what} to be an array, received ${shown(value)}`);
}

/** Throws a `TypeError` for a value that is neither a function nor undefined. */
export function checkFunction(name: string, what: string, value: unknown): void {
  if (value !== undefined && typeof value !== "function")
    throw new TypeError(`${name}: expected ${what} to be a function, received ${shown(value)}`);
}

/** Throws a `TypeError` for a value that is neither a number from 0 on nor undefined. */
export function checkNumber(name: string, what: string, value: unknown): void {
  if (value !== undefined && !(typeof value === "number" && value >= 0))
    throw new TypeError(`${name}: expected ${what} to be a number from 0 on, received ${shown(value)}`);
}

const taken = new WeakSet<object>();

/** Throws a `TypeError` for a transport that has a connection. `name` is the function that got it. */
export function claimTransport(name: string, transport: object): void {
  checkObject(name, "the transport", transport);
  if (taken.has(transport))
    throw new TypeError(`${name}: the transport has a connection already; create one transport for each connection`);
  taken.add(transport);
}

/** A value in an error text. */
export function shown(value: unknown): string {
  if (typeof value === "string")
    return `the text ${JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value)}`;
  if (value === null || value === undefined || typeof value === "boolean") return String(value);
  if (typeof value === "number") return `the number ${value}`;
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function checkProfile(name: string, profiles: string, profile: unknown): void {
  if (profile === undefined || (typeof profile === "object" && profile !== null && "name" in profile)) return;
  throw new TypeError(`${name}: expected profile to be an object such as ${profiles}.spec, received ${shown(profile)}`);
}
