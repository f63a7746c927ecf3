import { loadCodec } from "../codecs/load.js";
import type { Update } from "../contenders/contender.js";
import { messageOf, updateOf } from "../corpus.js";
import { weigh } from "../messages.js";
import { seededRandom } from "../random.js";
import type { Figures, JobOf } from "./job.js";

const texts = {
  ascii:
    "I'll start with the failing test, then look at the reader. " +
    "It drops what follows the last line feed, so the final record is lost.",
  "non-ascii":
    "まず失敗しているテストを読み、次に行リーダーを確認します。最後の改行の後が失われます — schließlich: ça marche 🎉.",
};
const runs = 3;

/** Decodes `bytes` of messages that are in memory, cut into chunks. */
export async function decode({ contender, text, chunks: cut, bytes }: JobOf<"decode">): Promise<Figures> {
  const codec = await loadCodec(contender);
  const messages: string[] = [];
  let sum = 0;
  for (let size = 0, n = 0; size < bytes; n += 1) {
    const params = updateOf(`${n} ${texts[text]}`);
    const json = JSON.stringify(messageOf(params));
    sum += weigh(params);
    size += Buffer.byteLength(json);
    messages.push(json);
  }
  const data = Buffer.from(messages.map((json) => framed(json, codec.framing)).join(""));

  const run = async (): Promise<number> => {
    // Fresh memory each time: a decoder may keep what it was given.
    const chunks = contender === "floor" ? (messages as unknown as Uint8Array[]) : chunksOf(Buffer.from(data), cut);
    let count = 0;
    let seen = 0;
    const start = performance.now();
    await codec.decode?.(chunks, (message) => {
      count += 1;
      seen += weigh((message as { params: Update }).params);
    });
    const elapsed = performance.now() - start;
    if (count !== messages.length || seen !== sum)
      throw new Error(`${contender} decoded ${count} messages of ${messages.length}`);
    return elapsed;
  };

  await run();
  let elapsed = 0;
  for (let i = 0; i < runs; i += 1) elapsed += await run();
  return { rate: (data.byteLength * runs) / elapsed / 1_000 };
}

function framed(json: string, framing: "ndjson" | "content-length"): string {
  return framing === "ndjson" ? `${json}\n` : `Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;
}

function chunksOf(data: Buffer, cut: "random" | "bytes"): Uint8Array[] {
  const random = seededRandom(7);
  const chunks: Uint8Array[] = [];
  for (let from = 0; from < data.length; ) {
    const size = cut === "bytes" ? 1 : 1 + Math.floor(random() * 64 * 1024);
    chunks.push(data.subarray(from, from + size));
    from += size;
  }
  return chunks;
}
