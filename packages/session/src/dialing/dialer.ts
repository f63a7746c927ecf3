import { isObject, isWireError, WireError } from "@editwire/core";
import type { Transport } from "@editwire/transport";
import { callListener } from "../options/listeners.js";
import { backoff, type BackoffOptions, pause, untilAborted } from "./waits.js";

/**
 * Whether the other side is connected, why not, and in how many milliseconds this side dials again: `Infinity` after
 * the other side refused it.
 */
export type ConnectionState =
  | { readonly connected: true }
  | { readonly connected: false; readonly reason: Error; readonly retryMs: number };

/** How a side dials. */
export interface DialerOptions {
  /** Makes one transport. */
  readonly dial: () => Promise<Transport>;
  readonly reconnect?: BackoffOptions | undefined;
  /** For error texts: who dials, such as `agent`, and who is dialed, such as `host`. */
  readonly names: { readonly self: string; readonly other: string };
  /** Called when the connection changes. */
  readonly onConnection?: ((state: ConnectionState) => void) | undefined;
  /** Called for a dial that failed, once for each reason in a row, and with what `onConnection` throws. */
  readonly onError: (error: unknown, method: string | undefined) => void;
}

/** A connection of a side that dials. */
interface Dialed {
  readonly closed: Promise<Error>;
  close(): Promise<void>;
}

/**
 * Dials again and again, with growing waits, until it is closed or the other side refuses for good: with the HTTP
 * status 401 or 403 before the connection, or with the close code 1003 after it.
 */
export class Dialer<C extends Dialed> {
  /** The connection that is open now. */
  connection: C | undefined;
  readonly #options: DialerOptions;
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #lastFailure: string | undefined;

  constructor(options: DialerOptions) {
    this.#options = options;
  }

  /** Begins. `open` makes the connection over a transport, and `onOpen` is called when it is in use. */
  run(open: (transport: Transport) => C, onOpen?: () => void): void {
    this.#running = this.#run(async (transport) => {
      const connection = open(transport);
      if (this.#closing.signal.aborted) await connection.close();
      else {
        this.connection = connection;
        this.#tell({ connected: true });
        onOpen?.();
      }
      const reason = await connection.closed;
      this.connection = undefined;
      return reason;
    });
  }

  /** The open connection, to send the message `name`. Throws `WireError("not_connected")` without one. */
  require(name: string): C {
    if (this.connection !== undefined) return this.connection;
    throw new WireError("not_connected", `${name}: the ${this.#options.names.other} is not connected`);
  }

  /** Closes the connection, and dials no more. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.connection?.close();
    await this.#running;
  }

  async #run(serve: (transport: Transport) => Promise<Error>): Promise<void> {
    const { dial, reconnect = {}, names } = this.#options;
    const { stableMs = 5_000 } = reconnect;
    const { signal } = this.#closing;
    for (let failures = 0; !signal.aborted; failures += 1) {
      let reason: Error;
      let refusal: WireError | undefined;
      try {
        const transport = await untilAborted(
          async () => dial(),
          signal,
          (late) => late.close(),
        );
        const openedAt = performance.now();
        reason = await serve(transport);
        refusal = refusalOf(reason, names);
        if (refusal === undefined) this.#lastFailure = undefined;
        else this.#failed(refusal);
        if (performance.now() - openedAt >= stableMs) failures = 0;
      } catch (error) {
        refusal = refusalOf(error, names);
        reason = refusal ?? (error as Error);
        this.#failed(reason);
      }
      if (signal.aborted) return;
      const retryMs = refusal === undefined ? backoff(failures, reconnect) : Infinity;
      this.#tell({ connected: false, reason: refusal ?? reason, retryMs });
      if (refusal !== undefined) return;
      await pause(retryMs, signal);
    }
  }

  #failed(error: Error): void {
    if (this.#closing.signal.aborted || error.message === this.#lastFailure) return;
    this.#lastFailure = error.message;
    this.#options.onError(error, undefined);
  }

  #tell(state: ConnectionState): void {
    const { onConnection, onError } = this.#options;
    callListener(onConnection, (error) => onError(error, undefined), state);
  }
}

/** The error for a side that does not admit this one: the same dial would fail each time. */
function refusalOf(cause: unknown, { self, other }: DialerOptions["names"]): WireError | undefined {
  if (!isWireError(cause) || !isObject(cause.data)) return undefined;
  const { status, code, reason } = cause.data;
  if (code === 1003) {
    const text = `the ${other} refused this ${self}: ${String(reason)}; the ${self} does not dial again`;
    return new WireError("not_connected", text, { cause, data: { code, reason } });
  }
  if (status !== 401 && status !== 403) return undefined;
  const fix =
    status === 401
      ? `set the option \`token\` to the ${other}'s token`
      : `check the option \`token\`, and add the name in \`url\` to the ${other}'s option \`hosts\``;
  const text = `the ${other} refused this ${self} with the status ${status}: ${fix}; the ${self} does not dial again`;
  return new WireError("not_connected", text, { cause, data: { status } });
}
