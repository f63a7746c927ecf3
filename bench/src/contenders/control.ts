import type { Readable } from "node:stream";
import type { Contender } from "./contender.js";
import { attach } from "./floor.js";
import { lineWriter } from "./lines.js";
import { overStreams } from "./over-streams.js";

const lineFeed = 10;

/**
 * As `floor`, but it reads a message only when the one before it is handled. It holds one message and a chunk at a
 * time: what its process grows by above that is what V8 and Node leave uncollected.
 */
export const contender: Contender = overStreams((readable, writable, handlers) => {
  const { link, take } = attach(lineWriter(writable), handlers);
  void readInTurn(readable, take);
  return link;
});

async function readInTurn(readable: Readable, take: (message: unknown) => void | Promise<void>): Promise<void> {
  let parts: Buffer[] = [];
  for await (const chunk of readable as AsyncIterable<Buffer>) {
    let from = 0;
    for (let to = chunk.indexOf(lineFeed); to >= 0; to = chunk.indexOf(lineFeed, from)) {
      parts.push(chunk.subarray(from, to));
      const line = Buffer.concat(parts).toString();
      parts = [];
      from = to + 1;
      await take(JSON.parse(line));
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  }
}
