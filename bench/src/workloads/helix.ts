import { thousandsPerSecond, type Workload } from "./workload.js";

const contenders = ["editwire/helix", "floor/helix"];
const kilobytes = { unit: "KB", better: "less" } as const;

/** A host of the Helix-Zed protocol with many agents. */
export const helix: readonly Workload[] = [
  {
    name: "helix-flood",
    title: "an agent says many short messages to a Helix-Zed host",
    size: 50,
    grows: false,
    contenders,
    figures: { rate: thousandsPerSecond },
    async measure(contender, size, bench) {
      const figures = await bench.run({
        kind: "helix",
        contender,
        agents: 1,
        turns: size,
        updates: 2_000,
        apart: true,
      });
      return { rate: figures["rate"] ?? NaN };
    },
  },
  ...[1, 100, 1_000].map(
    (agents): Workload => ({
      name: `helix-${agents}`,
      title:
        `${agents} agents stream answers that grow by 200 pieces, to 4 KB, to a Helix-Zed host; ` +
        "memory of one agent at rest",
      size: agents,
      grows: false,
      contenders,
      figures:
        agents === 1
          ? { rate: thousandsPerSecond }
          : { rate: thousandsPerSecond, "server heap": kilobytes, "server rss": kilobytes, "client rss": kilobytes },
      async measure(contender, size, bench) {
        const figures = await bench.run({
          kind: "helix",
          contender,
          agents: size,
          turns: Math.ceil(250 / size) + 2,
          updates: 200,
          apart: false,
        });
        // The memory of a single connection is below the noise.
        return agents === 1 ? { rate: figures["rate"] ?? NaN } : figures;
      },
    }),
  ),
];
