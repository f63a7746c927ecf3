import { overPipes, thousandsPerSecond, type Workload } from "./workload.js";

/** One call after the other: the latency of a round trip. */
export const ping: Workload = {
  name: "ping",
  title: "calls one after the other",
  size: 10_000,
  contenders: overPipes,
  figures: { p50: { unit: "µs", better: "less" }, p99: { unit: "µs", better: "less" } },
  async measure(contender, count, bench) {
    const { p50 = NaN, p99 = NaN } = await bench.run({ kind: "calls", contender, depth: 1, count });
    return { p50, p99 };
  },
};

/** Calls that overlap. */
export const depths: readonly Workload[] = [
  depthOf("depth-64", "calls, 64 at a time", overPipes, undefined),
  depthOf(
    "depth-64-ws",
    "calls over a WebSocket, 64 at a time",
    ["editwire", "floor", "acp-sdk", "vscode-jsonrpc"],
    "ws:",
  ),
];

function depthOf(name: string, title: string, contenders: readonly string[], listen: string | undefined): Workload {
  return {
    name,
    title,
    size: 40_000,
    contenders,
    figures: { rate: thousandsPerSecond },
    async measure(contender, count, bench) {
      const { rate = NaN } = await bench.run({ kind: "calls", contender, listen, depth: 64, count });
      return { rate };
    },
  };
}

/** A round trip over HTTP: a POST there, an event back. */
export const pingSse: Workload = {
  name: "ping-sse",
  title: "calls one after the other over HTTP and SSE",
  size: 1_000,
  contenders: ["editwire", "floor"],
  figures: { p50: { unit: "µs", better: "less" } },
  async measure(contender, count, bench) {
    const { p50 = NaN } = await bench.run({ kind: "calls", contender, listen: "http:", depth: 1, count });
    return { p50 };
  },
};
