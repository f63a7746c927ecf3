/** Bytes to messages and back, without a protocol above and without a connection below. */
export interface BenchCodec {
  readonly framing: "ndjson" | "content-length";
  /** Decodes the chunks; resolves when every message was handed over. */
  decode?(chunks: readonly Uint8Array[], onMessage: (message: unknown) => void): void | Promise<void>;
  /** Turns messages into bytes, 16 of them before each turn of the microtask queue. */
  encode?(messages: Iterable<object>, onBytes: (bytes: number) => void): Promise<void>;
}

/** How many messages are written in one tick, as an agent that streams does in a burst. */
const messagesPerTick = 16;

/** Writes messages in ticks; waits for a promise where one comes back. */
export async function writeAll(messages: Iterable<object>, write: (message: object) => unknown): Promise<void> {
  let inTick = 0;
  let pending: unknown[] = [];
  for (const message of messages) {
    const written = write(message);
    if (written !== undefined) pending.push(written);
    inTick += 1;
    if (inTick < messagesPerTick) continue;
    await Promise.all(pending);
    pending = [];
    inTick = 0;
  }
  await Promise.all(pending);
}
