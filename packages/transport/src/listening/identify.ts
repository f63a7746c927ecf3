import type { CallerRequest, GuardOptions, Refusal } from "./guard.js";
import { startTimer } from "@editwire/core/timers";

/** Who a request is from, or why it is refused. */
export interface Identity {
  /** The caller, as `authenticate` returned it; `undefined` without that option. */
  readonly caller: string | undefined;
  readonly refusal?: Refusal | undefined;
}

const late = Symbol("late");
const unidentified = (status: Refusal["status"], message: string, details?: string): Identity => ({
  caller: undefined,
  refusal: { status, message, details },
});

/** Identifies the caller of a request within `authenticateTimeoutMs`. It never rejects. */
export async function identify(options: GuardOptions, request: CallerRequest): Promise<Identity> {
  const { authenticate, authenticateTimeoutMs = 10_000 } = options;
  if (authenticate === undefined) return { caller: undefined };
  let stop = (): void => {};
  const timeout = new Promise<typeof late>((resolve) => {
    stop = startTimer(authenticateTimeoutMs, () => resolve(late));
  });
  try {
    const caller = await Promise.race([authenticate(request), timeout]);
    if (caller === late) {
      const details = `authenticate took longer than ${authenticateTimeoutMs} ms`;
      return unidentified(503, "the caller could not be identified in time", details);
    }
    if (caller !== undefined) return { caller };
    return unidentified(401, "these credentials are not known", "authenticate returned undefined");
  } catch (error) {
    // The text of the error may hold a secret.
    const details = `authenticate threw ${error instanceof Error ? error.name : typeof error}`;
    return unidentified(500, "internal error", details);
  } finally {
    stop();
  }
}
