import { loadCodec } from "../codecs/load.js";
import { messageOf, readCorpus } from "../corpus.js";
import type { Figures, JobOf } from "./job.js";

const runs = 3;

/** Encodes messages of a corpus into bytes that nobody takes. Gives nanoseconds a message. */
export async function encode({ contender, corpus, count }: JobOf<"encode">): Promise<Figures> {
  const codec = await loadCodec(contender);
  const messages = readCorpus(corpus).map(messageOf);
  function* take(): Generator<object> {
    for (let i = 0; i < count; i += 1) yield messages[i % messages.length] as object;
  }
  let least = 0; // the floor counts characters, which are never more than the bytes
  for (const message of take()) least += JSON.stringify(message).length + 1;

  const run = async (): Promise<number> => {
    let written = 0;
    const start = performance.now();
    await codec.encode?.(take(), (bytes) => (written += bytes));
    await new Promise((resolve) => setImmediate(resolve));
    const elapsed = performance.now() - start;
    if (written < least) throw new Error(`${contender} wrote ${written} bytes, expected at least ${least}`);
    return elapsed;
  };

  await run();
  let elapsed = 0;
  for (let i = 0; i < runs; i += 1) elapsed += await run();
  return { ns: (elapsed / (count * runs)) * 1_000_000 };
}
