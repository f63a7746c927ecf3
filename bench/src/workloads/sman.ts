import { thousandsPerSecond, type Workload } from "./workload.js";

const contenders = ["editwire/sman", "floor/sman"];

/** A backend of sman that calls a tool inside an IDE. */
export const sman: readonly Workload[] = [
  {
    name: "sman-ping",
    title: "a sman backend calls a tool, one call after the other",
    size: 10_000,
    contenders,
    figures: {
      p50: { unit: "µs", better: "less" },
      p99: { unit: "µs", better: "less" },
      cpu: { unit: "µs", better: "less" },
    },
    async measure(contender, count, bench) {
      const {
        p50 = NaN,
        p99 = NaN,
        cpu = NaN,
      } = await bench.run({ kind: "calls", contender, listen: "ws:", depth: 1, count });
      return { p50, p99, cpu };
    },
  },
  {
    name: "sman-1000",
    title: "a sman backend calls a tool, 1,000 calls at a time on one connection",
    size: 40_000,
    contenders,
    figures: { rate: thousandsPerSecond },
    async measure(contender, count, bench) {
      const { rate = NaN } = await bench.run({ kind: "calls", contender, listen: "ws:", depth: 1_000, count });
      return { rate };
    },
  },
];
