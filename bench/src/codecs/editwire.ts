import { type Codec, contentLength, detecting, ndjson } from "@editwire/framing";
import { byteStreamTransport } from "@editwire/transport";
import { type BenchCodec, writeAll } from "./codec.js";

export const lines = codecOf(ndjson(), "ndjson");
export const headers = codecOf(contentLength(), "content-length");
export const detected = codecOf(detecting(), "ndjson");

function codecOf(codec: Codec, framing: BenchCodec["framing"]): BenchCodec {
  return {
    framing,
    decode(chunks, onMessage) {
      const framer = codec.open();
      for (const chunk of chunks) {
        framer.push(chunk);
        for (let frame = framer.next(); frame !== undefined; frame = framer.next()) {
          if (!frame.ok) throw frame.error;
          onMessage(frame.value);
        }
      }
    },
    async encode(messages, onBytes) {
      const nothing = (): void => {};
      const write = (bytes: Uint8Array): boolean => (onBytes(bytes.byteLength), true);
      const transport = byteStreamTransport(
        { open: nothing, write, pause: nothing, resume: nothing, end: nothing, destroy: nothing },
        codec,
      );
      await writeAll(messages, (message) => transport.send(JSON.stringify(message)));
    },
  };
}
