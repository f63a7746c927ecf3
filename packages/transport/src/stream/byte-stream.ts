/** The events of a stream of bytes, which has one listener. */
export interface ByteStreamEvents {
  /** Bytes arrived. The stream does not change them afterwards. */
  data(chunk: Uint8Array): void;
  /** The other end sends no more; it may still read what is written. */
  end(): void;
  /** There is room again after a `write` that returned false. */
  drain(): void;
  /**
   * Both directions are closed. Called exactly once. Without an error, the other end closed; a `WireError` is used as
   * it is.
   */
  closed(error?: Error): void;
}

/** A duplex of bytes, reduced to what a transport needs: sockets, pipes and processes all fit. */
export interface ByteStream {
  /** Sets the listener. Called once, before any other method; the stream stays paused until the first `resume`. */
  open(events: ByteStreamEvents): void;
  /** Always accepts the bytes, or the text as UTF-8. False means that the caller should wait for `drain`. */
  write(data: Uint8Array | string): boolean;
  /** Stops reading. Bytes that were already read may still arrive. */
  pause(): void;
  /** Reads on. */
  resume(): void;
  /** Ends the output after what was written; `closed` follows when the other end closes. */
  end(): void;
  /** Drops what was not written and releases the resources; `closed` follows in bounded time. */
  destroy(): void;
}
