import type { Codec, Framer, Framing, FramingLimits } from "./codec.js";
import { contentLengthEncoder } from "./content-length.js";
import { HeaderFramer } from "./header-framer.js";
import { encodeLine } from "./ndjson.js";

/** How a detecting codec chooses the framing of what it sends. */
export interface DetectingOptions {
  /** What to send until a received message decides. Default `ndjson`. */
  send?: Framing | undefined;
  /** Which received message decides: the `first` (default), always the `latest`, or `none`. */
  follow?: "first" | "latest" | "none" | undefined;
}

/**
 * ndjson and Content-Length framing on one stream, as ACP over stdio has it: each message is recognized by itself,
 * and what is received decides what is sent. A line that is neither a message nor part of a header is a bad frame.
 */
export function detecting({ send = "ndjson", follow = "first" }: DetectingOptions = {}): Codec {
  return { name: "detecting", open: (limits) => open(send, follow, limits) };
}

function open(send: Framing, follow: "first" | "latest" | "none", limits: FramingLimits | undefined): Framer {
  const encodeFrame = contentLengthEncoder();
  let sending = send;
  let undecided = follow !== "none";
  const onFraming = (framing: Framing): void => {
    if (!undecided) return;
    sending = framing;
    undecided = follow === "latest";
  };
  const encode = (json: string): string => (sending === "ndjson" ? encodeLine(json) : encodeFrame(json));
  return new HeaderFramer(encode, { otherLines: "messages", onFraming }, limits);
}
