import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { overPipes, thousandsPerSecond, type Workload } from "./workload.js";

const counts = [1, 100, 1_000];
const kilobytes = { unit: "KB", better: "less" } as const;

/** Many clients of one process. */
export const connections: readonly Workload[] = counts.flatMap((count) => [
  connectionsOf(`unix-${count}`, "Unix sockets", count, overPipes, () => join(tmpdir(), `bench-${randomUUID()}.sock`)),
  connectionsOf(`ws-${count}`, "WebSockets", count, ["editwire", "floor", "acp-sdk", "vscode-jsonrpc"], () => "ws:"),
]);

function connectionsOf(
  name: string,
  medium: string,
  count: number,
  contenders: readonly string[],
  address: () => string,
): Workload {
  return {
    name,
    title: `calls over ${count} ${medium}, one at a time on each; memory of one at rest`,
    size: count,
    grows: count === 100,
    contenders,
    figures: {
      rate: thousandsPerSecond,
      "server heap": kilobytes,
      "client heap": kilobytes,
      "server rss": kilobytes,
      "client rss": kilobytes,
    },
    async measure(contender, size, bench) {
      const figures = await bench.run({
        kind: "connections",
        contender,
        listen: address(),
        connections: size,
        count: 2_000 + 20 * size,
      });
      // The memory of a single connection is below the noise.
      return size > 1 ? figures : { rate: figures["rate"] ?? NaN };
    },
  };
}
