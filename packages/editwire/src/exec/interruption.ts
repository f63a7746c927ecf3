import { exitCodes } from "./exit-codes.js";

/** Ends a turn from outside: its `signal` is aborted with the exit code as the reason. */
export interface Interruption {
  readonly signal: AbortSignal;
  abort(exitCode: number): void;
}

/** Aborts at the first SIGINT, SIGTERM or SIGHUP, and after the time-out. A second signal ends the process at once. */
export function interruption(timeoutMs: number | undefined): Interruption {
  const controller = new AbortController();
  const abort = (exitCode: number): void => controller.abort(exitCode);
  const codes = { SIGINT: exitCodes.cancelled, SIGTERM: exitCodes.terminated, SIGHUP: exitCodes.terminated };
  for (const [signal, exitCode] of Object.entries(codes))
    process.on(signal, () => (controller.signal.aborted ? process.exit(exitCode) : abort(exitCode)));
  if (timeoutMs !== undefined) setTimeout(() => abort(exitCodes.timedOut), timeoutMs).unref();
  return { signal: controller.signal, abort };
}
