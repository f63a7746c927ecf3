import { describePattern, matches, type Pattern } from "../trace/pattern.js";
import type { EventEntry } from "../trace/trace.js";
import { callOf } from "./call.js";
import type { Received, Responder } from "./conversation.js";
import { ExpectationError } from "./errors.js";
import { type Forbidden, type Incoming, type Talk } from "./talk.js";
import { alarm, wait, within } from "./time.js";
import { handled, requireValid, type WaitOptions, Waits, type WaitSetting } from "./waits.js";

/** A `Talk` that can be closed. */
export interface OpenTalk extends Talk {
  /** Ends what still waits, and takes the case's responders away. */
  close(): void;
}

/** Opens a case's view of a connection. */
export function openTalk(setting: WaitSetting): OpenTalk {
  const { conversation, time, deadline } = setting;
  const { link } = conversation;
  const waits = new Waits(setting);
  const before = new Map<string, Responder | undefined>();

  const incoming = async (
    kind: "request" | "notification",
    method: string,
    params: Pattern,
    options?: WaitOptions,
  ): Promise<Incoming> => {
    const what = `${kind} ${method}${params === undefined ? "" : ` ${describePattern(params)}`}`;
    const look = (): { message: Received; found: Incoming } | undefined => {
      for (const message of waits.unread()) {
        const found = asIncoming(message, kind);
        // An invalid one is taken whatever it holds, so that it fails at once and not when the time is up.
        if (found?.method === method && (message.problem !== undefined || matches(found.params, params)))
          return { message, found };
      }
      return undefined;
    };
    const { message, found } = await waits.until({ what, look }, options);
    waits.consume(message);
    requireValid(message, what);
    return found;
  };

  const message = async (pattern: Pattern, options?: WaitOptions): Promise<unknown> => {
    const look = () => waits.unread().find(({ entry }) => matches(entry.message, pattern));
    const found = await waits.until({ what: `a message like ${describePattern(pattern)}`, look }, options);
    waits.consume(found);
    return found.entry.message;
  };

  const event = (
    name: string,
    { after = waits.now(), ...options }: WaitOptions & { readonly after?: number | undefined } = {},
  ): Promise<EventEntry> => {
    const look = (): EventEntry | undefined =>
      link.trace.entries
        .slice(after + 1)
        .find((one): one is EventEntry => one.kind === "event" && one.from === "target" && one.name === name);
    return waits.until({ what: name, look }, options);
  };

  const closed = async (options?: WaitOptions): Promise<{ reason: string; code?: number | null | undefined }> => {
    const budget = time.deadline(options?.deadline ?? deadline);
    const ended = await within(link.ended, budget);
    if (ended === undefined)
      throw new ExpectationError("timeout", `still open after ${budget} ms`, {
        expected: "the target closes",
        at: waits.now(),
      });
    return ended;
  };

  const quiet = async (ms: number, forbidden: Forbidden = {}): Promise<void> => {
    const start = waits.history().length;
    await new Promise<void>((resolve) => void alarm(time.quiet(ms), resolve));
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
  };

  return {
    conversation,
    send: {
      request: (method, params) => callOf(waits, conversation.request(method, params), method),
      notify: (method, params) => conversation.notify(method, params),
      invalid(content) {
        conversation.sendInvalid(content);
        const { id, method } = (content ?? {}) as { id?: unknown; method?: unknown };
        return callOf(waits, id, String(method));
      },
      bytes: (bytes) => link.sendBytes(bytes),
    },
    expect: {
      request: (method, params, options) => handled(incoming("request", method, params, options)),
      notify: (method, params, options) => handled(incoming("notification", method, params, options)),
      message: (pattern, options) => handled(message(pattern, options)),
      event: (name, options) => handled(event(name, options)),
      closed: (options) => handled(closed(options)),
    },
    reply: (request, result) => conversation.reply(request.id, result),
    refuse: (request, error) => conversation.refuse(request.id, error),
    answer(method, responder) {
      if (!before.has(method)) before.set(method, conversation.responders.get(method));
      conversation.responders.set(method, responder);
    },
    quiet: (ms, forbidden) => handled(quiet(ms, forbidden)),
    pace: (ms) => wait(time.paced(ms)),
    rest: (method, params) =>
      waits
        .unread()
        .flatMap((one) => asIncoming(one, "request") ?? asIncoming(one, "notification") ?? [])
        .filter((one) => (method === undefined || one.method === method) && matches(one.params, params)),
    history: () => waits.history(),
    now: () => waits.now(),
    close() {
      waits.close();
      for (const [method, responder] of before) {
        if (responder === undefined) conversation.responders.delete(method);
        else conversation.responders.set(method, responder);
      }
    },
  };
}

function asIncoming({ is, entry }: Received, kind: "request" | "notification"): Incoming | undefined {
  if (is.kind !== kind) return undefined;
  const params = (is.params ?? {}) as Record<string, unknown>;
  return { id: is.kind === "request" ? is.id : undefined, method: is.method, params, at: entry.seq };
}

function isForbidden({ is, entry }: Received, { method, params, message }: Forbidden): boolean {
  if (!matches(entry.message, message)) return false;
  return method === undefined || ("method" in is && is.method === method && matches(is.params, params));
}
