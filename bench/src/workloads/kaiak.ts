import { thousandsPerSecond, type Workload } from "./workload.js";

/** A run of the Kaiak agent API. */
export const kaiak: Workload = {
  name: "kaiak-run",
  title: "a Kaiak run streams short texts, and the client answers 10 questions meanwhile",
  size: 100_000,
  contenders: ["editwire/kaiak", "vscode-jsonrpc/kaiak"],
  figures: { rate: thousandsPerSecond, "reader cpu": { unit: "µs", better: "less" } },
  async measure(contender, texts, bench) {
    const { rate = NaN, cpu = NaN } = await bench.run({ kind: "kaiak", contender, texts, questions: 10 });
    return { rate, "reader cpu": cpu };
  },
};
