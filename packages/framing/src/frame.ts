import { WireError, type WireErrorCode } from "@editwire/core/errors";
import type { ByteReader } from "./byte-reader.js";
import type { BadFrame, Frame, FramingLimits } from "./codec.js";

/** Characters of a bad frame that go into its error. */
const EXCERPT_CHARS = 200;
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
  { fatal = false, cause, ...data }: { fatal?: boolean; cause?: unknown; charset?: string } = {},
): BadFrame {
  return {
    ok: false,
    error: new WireError(code, message, { data: { excerpt: excerpt.slice(0, EXCERPT_CHARS), ...data }, cause }),
    fatal,
  };
}

export function tooLarge(excerpt: string, maxMessageBytes: number): BadFrame {
  return badFrame("too_large", `the message exceeds ${maxMessageBytes} bytes and was skipped`, excerpt);
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

/** Parses the piece that was cut last. */
export function parseMessage(reader: ByteReader): Frame {
  let text = "";
  try {
    text = reader.text();
    if (!reader.isUtf8(text)) return notUtf8(reader.excerpt(), text);
    const length = reader.size;
    reader.release();
    return { ok: true, value: JSON.parse(text) as unknown, length };
  } catch (cause) {
    // Besides a SyntaxError: a RangeError for a text that is too long or too deep for this runtime.
    const reason = cause instanceof Error ? cause.message : String(cause);
    // A slice of a text keeps the whole of it; joined characters do not.
    const excerpt = reader.excerpt() || Array.from(text.slice(0, EXCERPT_CHARS)).join("");
    return badFrame("framing", `the message is not readable as JSON: ${reason}`, excerpt, { cause });
  }
}

function notUtf8(excerpt: string, text: string): BadFrame {
  const bad = badFrame("framing", "the message is not valid UTF-8", excerpt);
  try {
    return { ...bad, value: JSON.parse(text) as unknown };
  } catch {
    return bad;
  }
}
