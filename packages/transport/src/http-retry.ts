import { WireError } from "@editwire/core/errors";
import { delay } from "./timers.js";

const firstPauseMs = 200;
const longestPauseMs = 2_000;

/** Answers that say "not now": the same request may be made again. */
const passing = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * Makes a request until the server takes it, with growing pauses, for as long as it is out of reach for less than `retryMs`.
 * Throws `WireError("closed")` for an answer that is final, and when the time is over.
 */
export async function fetchWithRetry(name: string, request: () => Promise<Response>, retryMs: number, signal: AbortSignal): Promise<Response> {
  const giveUpAt = Date.now() + retryMs;
  for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
    const answer = await request().catch((error: unknown) => new WireError("closed", `${name}: the server is out of reach`, { cause: error }));
    if (answer instanceof Response && answer.ok) return answer;
    const failure = answer instanceof Response ? await refusal(name, answer) : answer;
    if (signal.aborted || Date.now() + pause > giveUpAt || !(answer instanceof WireError || passing.has(answer.status))) throw failure;
    await delay(pause, signal);
  }
}

async function refusal(name: string, response: Response): Promise<WireError> {
  const body = await response.text().catch(() => "");
  return new WireError("closed", `${name}: the server answered ${response.status} ${body.slice(0, 200).trim()}`, { data: { status: response.status } });
}
