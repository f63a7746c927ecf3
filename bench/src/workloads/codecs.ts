import type { JobOf } from "../jobs/job.js";
import { mixedUpdates } from "./floods.js";
import type { Workload } from "./workload.js";

const contenders = [
  "editwire",
  "editwire/content-length",
  "editwire/detecting",
  "floor",
  "acp-sdk",
  "vscode-jsonrpc",
  "mcp-sdk",
];

/** Bytes to messages, within one process. */
export const decoding: readonly Workload[] = [
  decodeOf("decode", "decoding small messages in chunks of random size", 16_000_000, "ascii", "random"),
  decodeOf(
    "decode-text",
    "decoding small messages with non-ASCII text in chunks of random size",
    16_000_000,
    "non-ascii",
    "random",
  ),
  decodeOf("decode-bytes", "decoding small messages in chunks of one byte", 400_000, "ascii", "bytes"),
];

function decodeOf(
  name: string,
  title: string,
  size: number,
  text: JobOf<"decode">["text"],
  chunks: JobOf<"decode">["chunks"],
): Workload {
  return {
    name,
    title,
    size,
    contenders,
    figures: { rate: { unit: "MB/s", better: "more" } },
    measure: (contender, bytes, bench) => bench.run({ kind: "decode", contender, text, chunks, bytes }),
  };
}

/** Messages to bytes, within one process. */
export const encoding: readonly Workload[] = [
  encodeOf("encode", "encoding messages of 200 bytes, 16 a tick", 60_000, 200),
  encodeOf("encode-mixed", "encoding session updates of all kinds, 16 a tick", 30_000, mixedUpdates),
];

function encodeOf(name: string, title: string, size: number, corpus: JobOf<"encode">["corpus"]): Workload {
  return {
    name,
    title,
    size,
    contenders,
    figures: { ns: { unit: "ns", better: "less" } },
    measure: (contender, count, bench) => bench.run({ kind: "encode", contender, corpus, count }),
  };
}
