import type { ConnectOptions, Diagnostic } from "@editwire/core";
import { isObject } from "@editwire/core";
import { isWireError } from "@editwire/core/errors";
import { startTimer } from "@editwire/core/timers";

/**
 * Calls an application's listener. `onError` gets what it throws, and what its promise rejects with: an `async`
 * function fits where a listener returns nothing, and nobody awaits it.
 */
export function callListener<Args extends unknown[]>(
  listener: ((...args: Args) => unknown) | undefined,
  onError: (error: unknown) => void,
  ...args: Args
): void {
  try {
    const returned = listener?.(...args);
    if (isObject(returned) && typeof returned["then"] === "function") Promise.resolve(returned).catch(onError);
  } catch (error) {
    onError(error);
  }
}

/** The listeners of a connection. They never throw. */
export interface Listeners {
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
  /** `effect` is the effect of the error. It is written to stderr where the application has no `onError`. */
  readonly onError: (error: unknown, method: string | undefined, effect?: string) => void;
}

/**
 * Wraps an application's listeners: `onError` gets the errors of `onDiagnostic`, and those of `onError` are dropped.
 * Without `onError`, errors go to stderr.
 */
export function safeListeners({ onDiagnostic, onError }: Pick<ConnectOptions, "onDiagnostic" | "onError">): Listeners {
  const drop = (): void => {}; // there is no further listener
  const report: Listeners["onError"] = (error, method, effect) => {
    if (onError === undefined) callListener(unheardToStderr, drop, error, method, effect);
    else callListener(onError, drop, error, method);
  };
  return {
    onError: report,
    onDiagnostic: (diagnostic) => callListener(onDiagnostic, (error) => report(error, diagnostic.method), diagnostic),
  };
}

/** An `onUpdate` that never throws: `onError` gets the errors of the application's, for `method`. */
export function updateListener<Event, Session>(
  onUpdate: ((event: Event, session: Session) => void) | undefined,
  onError: Listeners["onError"],
  method?: string,
): (event: Event, session: Session) => void {
  const report = (error: unknown): void => onError(error, method);
  return (event, session) => callListener(onUpdate, report, event, session);
}

/** The options of a program to start, with an `onStderr` that never throws: `onError` gets the errors of that one. */
export function safeStderr<
  Options extends Pick<ConnectOptions, "onError"> & { readonly onStderr?: ((text: string) => void) | undefined },
>(options: Options): Options {
  const { onStderr } = options;
  if (onStderr === undefined) return options;
  const { onError } = safeListeners({ onError: options.onError });
  const report = (error: unknown): void => onError(error, undefined);
  return { ...options, onStderr: (text: string) => callListener(onStderr, report, text) };
}

/** How much `toStderr` writes. */
export interface StderrOptions {
  /** Errors a second. Default 10. */
  maxPerSecond?: number | undefined;
  /** The beginning of a line, behind the method. Default: none. */
  note?: string | undefined;
  /** Default `console.error`. */
  write?: ((...parts: unknown[]) => void) | undefined;
}

/** An `onError` that writes to stderr: the first errors of each second, then one line with the number of the others. */
export function toStderr({
  maxPerSecond = 10,
  note = "",
  write = (...parts) => console.error(...parts),
}: StderrOptions = {}): Listeners["onError"] {
  let written = 0;
  let leftOut = 0;
  const nextSecond = (): void => {
    if (leftOut > 0) write(`${leftOut} more errors in this second`);
    written = 0;
    leftOut = 0;
  };
  return (error, method, effect) => {
    if (written === 0) startTimer(1_000, nextSecond);
    if (written < maxPerSecond) {
      written++;
      write(`${method ?? "connection"}${note}:${effect === undefined ? "" : ` ${effect}:`}`, shortened(error));
    } else leftOut++;
  };
}

/** A peer that is not connected is no fault of this code, so the stack would show nothing that helps. */
function shortened(error: unknown): unknown {
  return isWireError(error, "not_connected") ? error.message : error;
}

/** The `onError` of connections that have none. They share one rate. */
export const unheardToStderr: Listeners["onError"] = /* @__PURE__ */ toStderr({ note: " (onError is not set)" });

/** The effect of an error of the handler `handler`, which answers for the user: `effect` is what was answered. */
export function failedToAnswer(handler: string, effect: string): string {
  return `\`${handler}\` failed, so ${effect}; return an answer from it, or set onError to receive its errors`;
}
