/** What a stream of bytes tells its one listener. */
export interface ByteStreamEvents {
  /** Bytes came. The stream does not write to them afterwards. */
  data(chunk: Uint8Array): void;
  /** The other end sends no more; it may still take what is written. */
  end(): void;
  /** There is room again after a `write` that returned false. */
  drain(): void;
  /** Both directions are over, exactly once. Without an error the other end simply went; a `WireError` is used as it is. */
  closed(error?: Error): void;
}

/** A duplex of bytes, reduced to what a transport needs: sockets, pipes and processes all fit. */
export interface ByteStream {
  /** Names the listener. Called once, at once; the stream stays paused until the first `resume`. */
  open(events: ByteStreamEvents): void;
  /** Takes the bytes, always. False asks to wait for `drain`. */
  write(bytes: Uint8Array): boolean;
  /** Stops reading. What was already on its way may still come. */
  pause(): void;
  /** Reads on. */
  resume(): void;
  /** Ends the output after what was written; `closed` follows when the other end lets go. */
  end(): void;
  /** Gives up on what was not taken and lets go; `closed` follows in bounded time. */
  destroy(): void;
}
