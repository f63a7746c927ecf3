import type { Codec, Framer, Framing, FramingLimits } from "./codec.js";
import { contentLengthEncoder } from "./content-length.js";
import { HeaderFramer } from "./header-framer.js";
import { encodeLine } from "./ndjson.js";

/** How a detecting codec chooses the framing of what it sends. */
export interface DetectingOptions {
  /** The framing to send until a received message decides. Default `ndjson`. */
  send?: Framing | undefined;
  /** Which received message decides: the `first` (default), always the `latest`, or `none`. */
  follow?: "first" | "latest" | "none" | undefined;
  /** Called with the framing of each received message, before the message itself is read. */
  onFraming?: ((framing: Framing) => void) | undefined;
}

/**
 * ndjson and Content-Length framing on one stream, as ACP over stdio requires: the framing of each message is
 * recognized, and decides the framing of what is sent. A line that is neither a message nor part of a header is a bad
 * frame.
 */
export function detecting(options: DetectingOptions = {}): Codec {
  return { name: "detecting", open: (limits) => open(options, limits) };
}

function open(
  { send = "ndjson", follow = "first", onFraming: report }: DetectingOptions,
  limits: FramingLimits | undefined,
): Framer {
  const encodeFrame = contentLengthEncoder();
  let sending = send;
  let undecided = follow !== "none";
  const onFraming = (framing: Framing): void => {
    report?.(framing);
    if (!undecided) return;
    sending = framing;
    undecided = follow === "latest";
  };
  const encode = (json: string): string => (sending === "ndjson" ? encodeLine(json) : encodeFrame(json));
  return new HeaderFramer(encode, { otherLines: "messages", onFraming }, limits);
}
