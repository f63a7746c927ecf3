import type { Codec } from "@editwire/framing";
import { type ByteStreamOptions, byteStreamTransport } from "./byte-stream-transport.js";
import { consoleToStderr } from "./node-console.js";
import { nodeByteStream } from "./node-streams.js";
import type { Transport } from "./transport.js";

/** How a process speaks over its own stdin and stdout. */
export interface StdioOptions extends ByteStreamOptions {
  /**
   * Where `console.log` and similar methods write until the transport closes. Default `"stderr"`, so that a stray line
   * cannot corrupt the wire. Code that calls `process.stdout.write` itself is not stopped.
   */
  console?: "stderr" | "stdout" | undefined;
}

/**
 * Moves messages over the stdin and stdout of this process. It closes at the end of stdin, and when the reader of
 * stdout ends. Closing ends stdout and destroys stdin, so a process with nothing else to do exits by itself.
 */
export function stdioTransport(codec: Codec, options: StdioOptions = {}): Transport {
  const restore = options.console === "stdout" ? undefined : consoleToStderr();
  return byteStreamTransport(nodeByteStream(process.stdin, process.stdout, restore), codec, options);
}
