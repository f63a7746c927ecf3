import { describePattern, matches, type Pattern } from "../../trace/pattern.js";
import type { EventEntry } from "../../trace/trace.js";
import type { Received } from "./conversation.js";
import { ExpectationError } from "../errors.js";
import type { Forbidden, Incoming, Talk } from "./talk.js";
import { idle, within } from "./time.js";
import { handled, requireValid, type WaitAfter, type WaitOptions, type Waits } from "./waits.js";

type Kind = "request" | "notification";

/** The waits of a case. Their rejections are never unhandled, because a case may end while it waits. */
export function expectationsOf(waits: Waits): Talk["expect"] {
  return {
    request: (method, params, options) => handled(incoming(waits, "request", method, params, options)),
    notify: (method, params, options) => handled(incoming(waits, "notification", method, params, options)),
    message: (pattern, options) => handled(message(waits, pattern, options)),
    event: (name, options) => handled(event(waits, name, options)),
    closed: (options) => handled(closed(waits, options)),
  };
}

/** Reads a message as a request or a notification; `undefined` for another kind. */
export function asIncoming({ is, entry }: Received, kind: Kind): Incoming | undefined {
  if (is.kind !== kind) return undefined;
  const params = (is.params ?? {}) as Record<string, unknown>;
  return { id: is.kind === "request" ? is.id : undefined, method: is.method, params, at: entry.seq };
}

async function incoming(
  waits: Waits,
  kind: Kind,
  method: string,
  params: Pattern,
  { after = -1, ...options }: WaitAfter = {},
): Promise<Incoming> {
  const what = `${kind} ${method}${params === undefined ? "" : ` ${describePattern(params)}`}`;
  const look = (): { message: Received; found: Incoming } | undefined => {
    for (const message of waits.unread()) {
      const found = message.entry.seq > after ? asIncoming(message, kind) : undefined;
      // An invalid message always matches, so that the case fails at once and not at the deadline.
      if (found?.method === method && (message.problem !== undefined || matches(found.params, params)))
        return { message, found };
    }
    return undefined;
  };
  const { message, found } = await waits.until({ what, kind: `${kind} ${method}`, look }, options);
  waits.consume(message);
  requireValid(message, what);
  return found;
}

async function message(waits: Waits, pattern: Pattern, options?: WaitOptions): Promise<unknown> {
  const look = (): Received | undefined => waits.unread().find(({ entry }) => matches(entry.message, pattern));
  const what = `${typeof pattern === "function" ? "" : "a message like "}${describePattern(pattern)}`;
  const found = await waits.until({ what, look }, options);
  waits.consume(found);
  return found.entry.message;
}

function event(waits: Waits, name: string, { after = waits.now(), ...options }: WaitAfter = {}): Promise<EventEntry> {
  const { trace } = waits.setting.conversation.link;
  const look = (): EventEntry | undefined =>
    trace.entries
      .slice(after + 1)
      .find((one): one is EventEntry => one.kind === "event" && one.from === "target" && one.name === name);
  return waits.until({ what: name, look }, options);
}

async function closed(
  waits: Waits,
  options?: WaitOptions,
): Promise<{ reason: string; code?: number | null | undefined }> {
  const { conversation, time, deadline } = waits.setting;
  const budget = time.deadline(options?.deadline ?? deadline);
  const ended = await within(conversation.link.ended, budget);
  if (ended !== undefined) return ended;
  throw new ExpectationError("timeout", `still open after ${budget} ms`, {
    expected: "the target closes",
    at: waits.now(),
  });
}

/** Waits for `ms` milliseconds. Rejects with an `ExpectationError` when a forbidden message came in that time. */
export async function quiet(waits: Waits, ms: number, forbidden: Forbidden = {}): Promise<void> {
  const { time } = waits.setting;
  const start = waits.history().length;
  await idle(time.quiet(ms));
  const offender = waits
    .history()
    .slice(start)
    .find((one) => isForbidden(one, forbidden));
  if (offender === undefined) return;
  const what = forbidden.method ?? (forbidden.message === undefined ? "message" : describePattern(forbidden.message));
  const { message: actual, seq } = offender.entry;
  throw new ExpectationError("mismatch", "the target should have been quiet", {
    expected: `no ${what} for ${time.quiet(ms)} ms`,
    actual,
    at: seq,
  });
}

function isForbidden({ is, entry }: Received, { method, params, message: pattern }: Forbidden): boolean {
  if (!matches(entry.message, pattern)) return false;
  return method === undefined || ("method" in is && is.method === method && matches(is.params, params));
}
