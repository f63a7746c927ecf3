import { WireError } from "@editwire/core/errors";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { startTimer } from "@editwire/core/timers";

/** When to give up on an event stream. */
export interface EventLimits {
  /** Characters of one event. */
  readonly maxChars: number;
  /** Milliseconds without a byte. */
  readonly silenceMs: number;
}

/**
 * Reads an event stream to its end, one event after the other: while `take` is busy nothing more is read. A stream that
 * breaks or falls silent counts as one that ends. Throws `too_large` for an event that is.
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  { maxChars, silenceMs }: EventLimits,
  take: (event: EventSourceMessage) => void | Promise<void>,
): Promise<void> {
  let events: EventSourceMessage[] = [];
  let tooLarge = false;
  const parser = createParser({
    maxBufferSize: maxChars,
    onEvent: (event) => events.push(event),
    onError: ({ type }) => (tooLarge ||= type === "max-buffer-size-exceeded"),
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const stop = startTimer(silenceMs, () => void reader.cancel().catch(() => {}));
    const part = await reader.read().catch(() => undefined);
    stop();
    if (part?.value === undefined) return;
    parser.feed(decoder.decode(part.value, { stream: true }));
    for (const event of events) {
      const busy = take(event);
      if (busy !== undefined) await busy;
    }
    events = [];
    if (tooLarge) throw new WireError("too_large", `an event is larger than ${maxChars} characters`);
  }
}
