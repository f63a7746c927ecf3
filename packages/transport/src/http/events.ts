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
  const events: EventSourceMessage[] = [];
  let tooLarge = false;
  const parser = createParser({
    maxBufferSize: maxChars,
    onEvent: (event) => events.push(event),
    onError: ({ type }) => (tooLarge ||= type === "max-buffer-size-exceeded"),
  });
  // A variable of this function would keep the event alive while `take` is busy with it.
  const takeNext = (): void | Promise<void> => take(events.shift() as EventSourceMessage);
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const stop = startTimer(silenceMs, () => void reader.cancel().catch(() => {}));
    const part = await reader.read().catch(() => undefined);
    stop();
    if (part?.value === undefined) return;
    for (const piece of pieces(decoder.decode(part.value, { stream: true }))) parser.feed(piece);
    while (events.length > 0) {
      const busy = takeNext();
      if (busy !== undefined) await busy;
    }
    if (tooLarge) throw new WireError("too_large", `an event is larger than ${maxChars} characters`);
  }
}

/**
 * Cuts a text behind its first and its last line break. The parser joins the first piece with what came before, and
 * slices of the joined text, such as the id of the next event, would keep all of it alive.
 */
function pieces(text: string): readonly string[] {
  const first = text.indexOf("\n") + 1;
  const last = text.lastIndexOf("\n") + 1;
  return [text.slice(0, first), text.slice(first, last), text.slice(last)].filter((piece) => piece !== "");
}
