import { join } from "node:path";
import { benchFolder } from "../build.js";
import type { Corpus } from "../corpus.js";
import { overPipes, thousandsPerSecond, type Workload } from "./workload.js";

const microseconds = { unit: "µs", better: "less" } as const;

/** The updates of five turns of a coding agent. */
export const mixedUpdates = join(benchFolder, "corpus/session-updates.ndjson");

/** The messages of a flood, and their sender. */
interface Flood {
  readonly name: string;
  readonly title: string;
  readonly corpus: Corpus;
  readonly size: number;
  readonly contenders?: readonly string[];
  readonly listen?: string;
  readonly maxRounds?: number;
}

const flood200: Flood = {
  name: "flood-200",
  title: "notifications of 200 bytes",
  corpus: 200,
  size: 100_000,
  contenders: [...overPipes, "editwire/acp-v1"],
};

const floodMixed: Flood = {
  name: "flood-mixed",
  title: "session updates of all kinds, 50 bytes to 8 KB",
  corpus: mixedUpdates,
  size: 40_000,
  contenders: [...overPipes, "editwire/acp", "editwire/acp-v1"],
};

const floodWs: Flood = {
  name: "flood-ws",
  title: "notifications of 200 bytes over a WebSocket",
  corpus: 200,
  size: 200_000,
  contenders: ["editwire", "floor", "acp-sdk", "vscode-jsonrpc"],
  listen: "ws:",
};

/** The same for long enough that V8 has compiled what runs. */
const floodMixedLong: Flood = {
  ...floodMixed,
  name: "flood-mixed-long",
  title: "session updates of all kinds, 50 bytes to 8 KB, for a few seconds",
  size: 400_000,
  contenders: ["editwire", "floor", "acp-sdk", "editwire/acp", "editwire/acp-v1"],
  maxRounds: 3,
};

/** An agent that streams as fast as it can: with many sends open, or awaiting each one, as most programs do. */
export const floods: readonly Workload[] = [
  floodOf(flood200),
  awaitedFloodOf(flood200),
  floodOf({ name: "flood-2k", title: "notifications of 2 KB", corpus: 2_000, size: 40_000 }),
  floodOf(floodMixed),
  floodOf(floodMixedLong),
  awaitedFloodOf(floodMixed),
  floodOf(floodWs),
  awaitedFloodOf(floodWs),
  floodOf({
    name: "flood-sse",
    title: "notifications of 200 bytes over HTTP and SSE",
    corpus: 200,
    size: 30_000,
    contenders: ["editwire", "floor"],
    listen: "http:",
  }),
];

function floodOf(
  { name, title, corpus, size, contenders = overPipes, listen, maxRounds }: Flood,
  awaited = false,
): Workload {
  return {
    name,
    title,
    size,
    maxRounds,
    contenders,
    figures: { rate: thousandsPerSecond, "reader cpu": microseconds, "sender cpu": microseconds },
    async measure(contender, count, bench) {
      const job = { kind: "flood", contender, listen, corpus, count, awaited } as const;
      const { rate = NaN, reader = NaN, sender = NaN } = await bench.run(job);
      return { rate, "reader cpu": reader, "sender cpu": sender };
    },
  };
}

function awaitedFloodOf(flood: Flood): Workload {
  return floodOf({ ...flood, name: `${flood.name}-awaited`, title: `${flood.title}, each send awaited` }, true);
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

const megabyte = { unit: "MB", better: "less" } as const;

/** The bytes that a slow reader holds, for messages of each size; at most 20,000 of them, 500 MB together. */
export const slowSizes: readonly Workload[] = [
  slowOf("slow-200", "200 bytes", 200),
  slowOf("slow-2k", "2 KB", 2_000),
  slowOf("slow-16k", "16 KB", 16_000),
  slowOf("slow-100k", "100 KB", 100_000),
  slowOf("slow-1m", "1 MB", 1_000_000),
  slowOf("slow-2m", "2 MB", 2_000_000),
  slowOf("slow-4m", "4 MB", 4_000_000),
  slowOf("slow-8m", "8 MB", 8_000_000),
];

function slowOf(name: string, text: string, messageBytes: number): Workload {
  const delayMs = Math.max(1, messageBytes / 50_000);
  return {
    name,
    title: `messages of ${text} to a reader that takes ${delayMs} ms each: memory above idle`,
    size: Math.min(500_000_000, 20_000 * messageBytes),
    grows: false,
    maxRounds: 3,
    contenders: ["editwire", "editwire/acp-v1", "control"],
    figures: { consumer: megabyte, heap: megabyte, buffers: megabyte, producer: megabyte },
    async measure(contender, bytes, bench) {
      const { seconds: _, ...figures } = await bench.run({ kind: "slow", contender, bytes, messageBytes, delayMs });
      return figures;
    },
  };
}

/** 500 MB for a reader that cannot keep up. */
export const slow: Workload = {
  name: "slow",
  title: "500 MB in messages of 16 KB to a handler that takes a millisecond each: memory above idle",
  size: 500_000_000,
  maxRounds: 1,
  contenders: overPipes.filter((name) => name !== "floor"),
  figures: {
    consumer: megabyte,
    producer: megabyte,
    seconds: { unit: "s", better: "less" },
  },
  async measure(contender, bytes, bench) {
    const job = { kind: "slow", contender, bytes, messageBytes: 16 * 1024, delayMs: 1 } as const;
    const { consumer = NaN, producer = NaN, seconds = NaN } = await bench.run(job);
    return { consumer, producer, seconds };
  },
};
