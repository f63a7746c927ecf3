import { isObject, isWireError, WireError } from "@editwire/core";
import { backoff, type BackoffOptions } from "./backoff.js";
import { pause, untilAborted } from "./waits.js";

/** A side that dials until it is closed. */
export interface Dialing<T> {
  /** Makes one connection. */
  readonly dial: () => Promise<T>;
  /** Uses a connection, and resolves with the reason of its end. */
  readonly serve: (connection: T) => Promise<Error>;
  /** Aborting ends it all. */
  readonly signal: AbortSignal;
  readonly reconnect?: BackoffOptions | undefined;
  /** For the text of a refusal: who dials, such as `agent`, and who is dialed, such as `host`. */
  readonly names: { readonly self: string; readonly other: string };
  /**
   * Called when there is no connection any more, or none yet; the next dial is in `retryMs`, or never after a refusal.
   */
  readonly onDown: (reason: Error, retryMs: number) => void;
  /** Called for a dial that failed, once for each reason in a row. */
  readonly onFailure: (error: Error) => void;
}

/**
 * Dials again and again, with growing waits, until the signal aborts or the other side refuses for good: with the HTTP
 * status 401 or 403 before the connection, or with the close code 1003 after it.
 */
export async function keepDialing<T extends { close(): unknown }>(dialing: Dialing<T>): Promise<void> {
  const { dial, serve, signal, reconnect = {}, names, onDown, onFailure } = dialing;
  const { stableMs = 5_000 } = reconnect;
  let lastFailure: string | undefined;
  const failed = (error: Error): void => {
    if (signal.aborted || error.message === lastFailure) return;
    lastFailure = error.message;
    onFailure(error);
  };
  for (let failures = 0; !signal.aborted; failures += 1) {
    let reason: Error;
    let refusal: WireError | undefined;
    try {
      const connection = await untilAborted(dial, signal, (late) => late.close());
      const openedAt = performance.now();
      reason = await serve(connection);
      refusal = refusalOf(reason, names);
      if (refusal === undefined) lastFailure = undefined;
      else failed(refusal);
      if (performance.now() - openedAt >= stableMs) failures = 0;
    } catch (error) {
      refusal = refusalOf(error, names);
      reason = refusal ?? (error as Error);
      failed(reason);
    }
    if (signal.aborted) return;
    const retryMs = refusal === undefined ? backoff(failures, reconnect) : Infinity;
    onDown(refusal ?? reason, retryMs);
    if (refusal !== undefined) return;
    await pause(retryMs, signal);
  }
}

/** The error for a side that does not admit this one: the same dial would fail each time. */
function refusalOf(cause: unknown, { self, other }: Dialing<unknown>["names"]): WireError | undefined {
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
