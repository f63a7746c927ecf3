import type { CallOptions, RequestId } from "@editwire/core";
import { onAbort } from "@editwire/core/aborts";
import { WireError } from "@editwire/core/errors";
import { longestTimerMs } from "@editwire/core/timers";

/** One call of this side. Only the first attempt to settle it has an effect. */
export interface Call {
  /** The key that its reply names. */
  readonly key: RequestId;
  readonly method: string;
  /** The lanes' clock when the call was made. */
  readonly madeAt: number;
  readonly ordered: boolean;
  readonly streams: boolean;
  readonly onReply: (() => void) | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  /** Releases the timer and the signal of the call, if there are any. */
  release: (() => void) | undefined;
}

/** Settles a call with its reply. */
export function settle(call: Call, error: Error | undefined, result: unknown): void {
  call.release?.();
  if (error === undefined) call.resolve(result);
  else call.reject(error);
}

/** The ways to end a call early. */
export interface CallEnds {
  /** True while the call's reply waits for its turn. */
  readonly isHeld: (call: Call) => boolean;
  /** Ends the call with an error. */
  readonly giveUp: (call: Call, error: WireError) => void;
  /** Asks the peer to end it. */
  readonly cancel: (call: Call) => void;
}

/** Starts the call's timer and watches its signal. The first that fires ends the call. */
export function limit(
  call: Call,
  { signal, timeoutMs, abort }: CallOptions,
  { isHeld, giveUp, cancel }: CallEnds,
): void {
  const { method } = call;
  const end = (): void => (abort === "wait" ? cancel(call) : giveUp(call, abortedError(method, signal?.reason)));
  const onTimeout = (): void => giveUp(call, timeoutError(method, timeoutMs, isHeld(call)));
  const timer = timeoutMs !== undefined && timeoutMs <= longestTimerMs ? setTimeout(onTimeout, timeoutMs) : undefined;
  const stop = signal && onAbort(signal, end);
  call.release = () => {
    clearTimeout(timer);
    stop?.();
  };
}

function timeoutError(method: string, timeoutMs: number | undefined, replied: boolean): WireError {
  const why = replied
    ? `the reply came, but within ${timeoutMs} ms handlers of earlier notifications did not finish`
    : `no reply within ${timeoutMs} ms`;
  return new WireError("timeout", `${method}: ${why}`);
}

/** The error of an aborted call. */
export function abortedError(method: string, reason: unknown): WireError {
  return new WireError("aborted", `${method}: aborted`, { cause: reason });
}

/** The error of a call on a connection that has ended. */
export function closedError(method: string, reason: WireError): WireError {
  return new WireError("closed", `${method}: ${reason.message}`, { cause: reason, data: reason.data });
}

/** The error of a call whose reply cannot be read before too many handlers have finished. */
export function overloadedError(method: string, unhandled: number): WireError {
  return new WireError("overloaded", `${method}: the reply is waiting behind ${unhandled} unhandled notifications`);
}

/** The error of a call above the limit. */
export function tooManyCallsError(method: string, maxCalls: number): WireError {
  return new WireError(
    "overloaded",
    `${method}: ${maxCalls} calls already wait for their replies, which is the limit (maxCalls)`,
  );
}
