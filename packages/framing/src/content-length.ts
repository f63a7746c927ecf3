import { byteOps } from "./bytes.js";
import type { Codec } from "./codec.js";
import { HeaderFramer } from "./header-framer.js";

/** How Content-Length framing reads. */
export interface ContentLengthOptions {
  /**
   * How to treat text that is not a header where a header is expected, such as a log line on a server's stdout.
   * `strict` (default): it is a fatal `framing` error. `resync`: it is one bad frame, and reading continues at the next
   * line that is, or ends in, `Content-Length: <digits>`.
   */
  noise?: "strict" | "resync" | undefined;
}

/**
 * Content-Length framing, as in the Language Server Protocol: a header, an empty line, and JSON of the length in bytes
 * that the header gives. Reads header names in any case, lines that end in LF, and other headers.
 */
export function contentLength({ noise = "strict" }: ContentLengthOptions = {}): Codec {
  const otherLines = noise === "strict" ? "refused" : "skipped";
  return {
    name: "content-length",
    open: (limits) => new HeaderFramer(contentLengthEncoder(), { otherLines }, limits),
  };
}

/** Makes the function that frames a message by its size in bytes, header and body in one string. */
export function contentLengthEncoder(): (json: string) => string {
  const { size } = byteOps();
  return (json) => `Content-Length: ${size(json)}\r\n\r\n${json}`;
}
