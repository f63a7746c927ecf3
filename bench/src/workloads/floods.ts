import { join } from "node:path";
import { benchFolder } from "../build.js";
import type { Corpus } from "../corpus.js";
import { overPipes, thousandsPerSecond, type Workload } from "./workload.js";

/** The updates of five turns of a coding agent. */
export const mixedUpdates = join(benchFolder, "corpus/session-updates.ndjson");

/** What is sent, and by whom. */
interface Flood {
  readonly name: string;
  readonly title: string;
  readonly corpus: Corpus;
  readonly size: number;
  readonly contenders?: readonly string[];
  readonly listen?: string;
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

/** An agent that streams as fast as it can: with many sends open, or awaiting each one, as most programs do. */
export const floods: readonly Workload[] = [
  floodOf(flood200),
  awaitedFloodOf(flood200),
  floodOf({ name: "flood-2k", title: "notifications of 2 KB", corpus: 2_000, size: 40_000 }),
  floodOf(floodMixed),
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

function floodOf({ name, title, corpus, size, contenders = overPipes, listen }: Flood, awaited = false): Workload {
  return {
    name,
    title,
    size,
    contenders,
    figures: { rate: thousandsPerSecond, "reader cpu": { unit: "µs", better: "less" } },
    async measure(contender, count, bench) {
      const { rate = NaN, cpu = NaN } = await bench.run({ kind: "flood", contender, listen, corpus, count, awaited });
      return { rate, "reader cpu": cpu };
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
