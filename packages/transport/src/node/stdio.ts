import { Socket } from "node:net";
import type { Codec } from "@editwire/framing";
import { type ByteStreamOptions, byteStreamTransport } from "../stream/transport.js";
import { consoleToStderr } from "./console.js";
import { nodeByteStream } from "./streams.js";
import type { Transport } from "../transport.js";

/** How a process speaks over its own stdin and stdout. */
export interface StdioOptions extends ByteStreamOptions {
  /**
   * Where `console.log` and similar methods write until the transport closes. Default `"stderr"`, so that a stray line
   * cannot corrupt the wire. Code that calls `process.stdout.write` itself is not stopped.
   */
  console?: "stderr" | "stdout" | undefined;
  /**
   * Milliseconds from the end of stdin, or from `close`, until what nobody has read from stdout is dropped. Default
   * 1,000: half of the time after which a client ends this process by a signal.
   */
  closeTimeoutMs?: number | undefined;
}

const defaultStdioCloseTimeoutMs = 1_000;

/**
 * Moves messages over the stdin and stdout of this process. It closes at the end of stdin, and when the reader of
 * stdout ends. Closing ends stdout and destroys stdin, so a process with nothing else to do exits by itself, within
 * `closeTimeoutMs` even if nobody reads its stdout.
 */
export function stdioTransport(codec: Codec, options: StdioOptions = {}): Transport {
  const restore = options.console === "stdout" ? undefined : consoleToStderr();
  const stream = nodeByteStream(process.stdin, process.stdout, () => {
    dropUnread(process.stdout);
    restore?.();
  });
  return byteStreamTransport(stream, codec, { closeTimeoutMs: defaultStdioCloseTimeoutMs, ...options });
}

/**
 * Drops what nobody has read. Node replaces `_destroy` of stdout by a function that does nothing, so after `destroy` a
 * pending write would keep the process alive.
 */
function dropUnread(stdout: NodeJS.WriteStream): void {
  if (stdout.writableLength > 0 && stdout instanceof Socket) Socket.prototype._destroy.call(stdout, null, () => {});
}
