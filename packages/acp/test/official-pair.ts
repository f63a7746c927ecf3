import { PassThrough, Readable, Writable } from "node:stream";
import { ndJsonStream, type Stream } from "@agentclientprotocol/sdk";
import { ndjson } from "@editwire/framing";
import type { Transport } from "@editwire/transport";
import { nodeStreamTransport } from "@editwire/transport/node";

/** Two ends of one connection in this process: one for the official SDK, one for ours. */
export function officialPair(): { official: Stream; ours: Transport } {
  const [toOurs, toOfficial] = [new PassThrough(), new PassThrough()];
  const input = Readable.toWeb(toOfficial) as ReadableStream<Uint8Array>;
  return {
    official: ndJsonStream(Writable.toWeb(toOurs), input),
    ours: nodeStreamTransport(toOurs, toOfficial, ndjson()),
  };
}
