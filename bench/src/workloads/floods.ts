import { join } from "node:path";
import { benchFolder } from "../build.js";
import type { Corpus } from "../corpus.js";
import { overPipes, thousandsPerSecond, type Workload } from "./workload.js";

/** The updates of five turns of a coding agent. */
export const mixedUpdates = join(benchFolder, "corpus/session-updates.ndjson");

const bindings = ["editwire/acp", "editwire/acp-v1"];

/** An agent that streams as fast as it can. */
export const floods: readonly Workload[] = [
  floodOf("flood-200", "notifications of 200 bytes", 200, 100_000, [...overPipes, "editwire/acp-v1"]),
  floodOf("flood-2k", "notifications of 2 KB", 2_000, 40_000),
  floodOf("flood-mixed", "session updates of all kinds, 50 bytes to 8 KB", mixedUpdates, 40_000, [
    ...overPipes,
    ...bindings,
  ]),
  floodOf(
    "flood-ws",
    "notifications of 200 bytes over a WebSocket",
    200,
    200_000,
    ["editwire", "floor", "acp-sdk", "vscode-jsonrpc"],
    "ws:",
  ),
  floodOf("flood-sse", "notifications of 200 bytes over HTTP and SSE", 200, 30_000, ["editwire", "floor"], "http:"),
];

function floodOf(
  name: string,
  title: string,
  corpus: Corpus,
  size: number,
  contenders: readonly string[] = overPipes,
  listen?: string,
): Workload {
  return {
    name,
    title,
    size,
    contenders,
    figures: { rate: thousandsPerSecond, "reader cpu": { unit: "µs", better: "less" } },
    async measure(contender, count, bench) {
      const { rate = NaN, cpu = NaN } = await bench.run({ kind: "flood", contender, listen, corpus, count });
      return { rate, "reader cpu": cpu };
    },
  };
}

const runsOfLarge = 3;

/** Messages of many chunks. */
export const large: Workload = {
  name: "large",
  title: "a message of 16 MB, which comes in chunks of 64 KiB",
  size: 16_000_000,
  contenders: overPipes,
  figures: { rate: { unit: "MB/s", better: "more" } },
  async measure(contender, bytes, bench) {
    const { ms = NaN } = await bench.run({ kind: "flood", contender, corpus: bytes, count: 1, runs: runsOfLarge });
    return { rate: bytes / ms / 1_000 };
  },
};

/** 500 MB for a reader that cannot keep up. */
export const slow: Workload = {
  name: "slow",
  title: "500 MB in messages of 16 KB to a handler that takes a millisecond each: memory above idle",
  size: 500_000_000,
  maxRounds: 1,
  contenders: overPipes.filter((name) => name !== "floor"),
  figures: {
    consumer: { unit: "MB", better: "less" },
    producer: { unit: "MB", better: "less" },
    seconds: { unit: "s", better: "less" },
  },
  measure: (contender, bytes, bench) => bench.run({ kind: "slow", contender, bytes }),
};
