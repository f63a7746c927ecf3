import { ByteReader } from "./byte-reader.js";
import type { Codec, Frame, Framer, FramingLimits } from "./codec.js";
import { parseMessage, tooLarge, withDefaults } from "./frame.js";

/**
 * Newline-delimited JSON: one message a line. Blank lines, a carriage return before the line feed and a byte order mark
 * at the start of the stream are tolerated.
 */
export function ndjson(): Codec {
  return { name: "ndjson", open };
}

/** Frames one message as a line. */
export function encodeLine(json: string): string {
  return `${json}\n`;
}

function open(limits?: FramingLimits): Framer {
  const reader = new ByteReader();
  const { maxMessageBytes } = withDefaults(limits);
  return {
    encode: encodeLine,
    push: (chunk) => reader.source.push(chunk),
    next(): Frame | undefined {
      for (;;) {
        const cut = reader.line(maxMessageBytes);
        if (cut === undefined) return undefined;
        if (cut === "long") return tooLarge(reader.excerpt(), maxMessageBytes);
        if (reader.firstByte() !== undefined) return parseMessage(reader);
      }
    },
    end: () => reader.finish(),
    get pending() {
      return reader.pending;
    },
  };
}
