import { WireError, type WireErrorCode } from "@editwire/core/errors";
import type { ByteReader } from "./byte-reader.js";
import type { BadFrame, Frame, FramingLimits } from "./codec.js";
import { findObjects } from "./objects.js";
import { excerptChars, type Salvage, salvage } from "./salvage.js";

const USUAL_FIELD = "content-length:";

/** The limits of one stream, with their defaults. */
export function withDefaults({ maxMessageBytes = 64 * 1024 * 1024, maxHeaderBytes = 8 * 1024 }: FramingLimits = {}): {
  maxMessageBytes: number;
  maxHeaderBytes: number;
} {
  return { maxMessageBytes, maxHeaderBytes };
}

export function badFrame(
  code: Extract<WireErrorCode, "framing" | "too_large">,
  message: string,
  excerpt: string,
  { fatal = false, cause, ...data }: { fatal?: boolean; cause?: unknown; charset?: string; found?: string } = {},
): BadFrame {
  return {
    ok: false,
    error: new WireError(code, message, { data: { excerpt: excerpt.slice(0, excerptChars), ...data }, cause }),
    fatal,
  };
}

/** A line that was skipped; its beginning may show which message it was. */
export function tooLarge(excerpt: string, maxMessageBytes: number): BadFrame {
  const problem = `the message exceeds ${maxMessageBytes} bytes and was skipped`;
  const { outline } = findObjects(excerpt);
  if (outline === undefined) return badFrame("too_large", problem, excerpt);
  return { ...badFrame("too_large", problem, excerpt, { found: "outline" }), value: outline };
}

/** Blanks before a message that are looked past, and more than enough for the beginning of a header's name. */
const START_BYTES = 64;

/** Whether the unfinished piece is the beginning of a message, as a line. */
export function beginsMessage(reader: ByteReader): boolean {
  return reader.heldStart(START_BYTES).startsWith("{");
}

/** Whether the unfinished piece is the beginning of a header whose first field is the usual one. */
export function beginsHeader(reader: ByteReader): boolean {
  const start = reader.heldStart(START_BYTES).slice(0, USUAL_FIELD.length).toLowerCase();
  return start !== "" && USUAL_FIELD.startsWith(start);
}

/** Keeps frames that were found together with the one before them. */
export interface Waiting {
  waiting: Frame[] | undefined;
}

/** The next of the frames that wait. */
export function takeWaiting(behind: Waiting): Frame | undefined {
  const frame = behind.waiting?.shift();
  if (behind.waiting?.length === 0) behind.waiting = undefined;
  return frame;
}

/** Parses the piece that was cut last. A message that noise is attached to waits behind the report of the noise. */
export function parseMessage(reader: ByteReader, behind: Waiting): Frame {
  let text = "";
  try {
    text = reader.text();
    if (!reader.isUtf8(text)) return notUtf8(reader, text, behind);
    const length = reader.size;
    reader.release();
    return { ok: true, value: JSON.parse(text) as unknown, length };
  } catch (cause) {
    // Besides a SyntaxError: a RangeError for a text that is too long or too deep for this runtime.
    const reason = cause instanceof Error ? cause.message : String(cause);
    const problem = `the message is not readable as JSON: ${reason}`;
    if (text === "") return badFrame("framing", problem, reader.excerpt(), { cause });
    return withMessages(salvage(text, problem, cause), reader, behind);
  }
}

function notUtf8(reader: ByteReader, text: string, behind: Waiting): BadFrame {
  const problem = "the message is not valid UTF-8";
  const bad = badFrame("framing", problem, reader.excerpt());
  try {
    return { ...bad, value: JSON.parse(text) as unknown };
  } catch {
    const salvaged = salvage(text, problem);
    const faulty = salvaged.messages.find((message) => message.text.includes("\uFFFD"));
    return faulty === undefined ? withMessages(salvaged, reader, behind) : { ...bad, value: faulty.value };
  }
}

function withMessages({ messages, ...rest }: Salvage, { source }: ByteReader, behind: Waiting): BadFrame {
  const frames = messages.map(({ value, text }): Frame => ({ ok: true, value, length: source.ops.size(text) }));
  if (frames.length > 0) behind.waiting = frames;
  return { ok: false, fatal: false, ...rest };
}
