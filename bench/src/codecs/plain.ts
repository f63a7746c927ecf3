import { type BenchCodec, writeAll } from "./codec.js";

/** `JSON.parse` on lines that are cut already, and `JSON.stringify` without bytes. */
export const floor: BenchCodec = {
  framing: "ndjson",
  decode(chunks, onMessage) {
    for (const line of chunks as unknown as string[]) onMessage(JSON.parse(line));
  },
  encode: (messages, onBytes) => writeAll(messages, (message) => onBytes(JSON.stringify(message).length + 1)),
};
