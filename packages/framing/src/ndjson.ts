import { ByteReader } from "./byte-reader.js";
import type { Codec, Frame, Framer, FramingLimits, Unfinished } from "./codec.js";
import { beginsMessage, parseMessage, takeWaiting, tooLarge, type Waiting, withDefaults } from "./frame.js";

/**
 * Newline-delimited JSON: one message per line. Blank lines, a carriage return before the line feed and a byte order
 * mark at the start of the stream are tolerated. A message behind noise without a line break is read, and the noise is
 * a bad frame.
 */
export function ndjson(): Codec {
  return { name: "ndjson", open };
}

/** Frames one message as a line. */
export function encodeLine(json: string): string {
  return `${json}\n`;
}

function open(limits?: FramingLimits): Framer {
  return new LineFramer(withDefaults(limits).maxMessageBytes);
}

/** A class, because a thousand idle connections have one each. */
class LineFramer implements Framer, Waiting {
  waiting: Frame[] | undefined;
  private readonly reader = new ByteReader();
  private readonly maxMessageBytes: number;

  constructor(maxMessageBytes: number) {
    this.maxMessageBytes = maxMessageBytes;
  }

  get encode(): typeof encodeLine {
    return encodeLine;
  }

  push(chunk: Uint8Array): void {
    this.reader.source.push(chunk);
  }

  next(): Frame | undefined {
    if (this.waiting !== undefined) return takeWaiting(this);
    const { reader, maxMessageBytes } = this;
    for (;;) {
      const cut = reader.line(maxMessageBytes);
      if (cut === undefined) return undefined;
      if (cut === "long") return tooLarge(reader.excerpt(), maxMessageBytes);
      if (reader.firstByte() !== undefined) return parseMessage(reader, this);
    }
  }

  end(): void {
    this.reader.finish();
  }

  get pending(): number {
    return this.reader.pending;
  }

  get unfinished(): Unfinished | undefined {
    const { reader } = this;
    return beginsMessage(reader) ? { receivedBytes: reader.pending, expectedBytes: undefined } : undefined;
  }
}
