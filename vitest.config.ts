import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const conditions = ["@editwire/source"];

/** Short files that take long. In a fresh clone the longest texts begin first, and at the end one of these would run alone. */
const long = [
  "transport/test/http",
  "transport/test/lost-peer",
  "conformance/test/cli-client",
  "bench/test/bench",
  "terminal-client/test/demo",
  "test/readme/agent",
  "test/fault-axis",
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      long.some((name) => moduleId.endsWith(`${name}.test.ts`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["{packages,examples}/*/test/**/*.test.ts", "{conformance,bench}/test/**/*.test.ts"],
    isolate: false, // tests keep to themselves: one module graph for many files saves a third of their time
    sequence: { sequencer: LongFirst },
    maxWorkers: Math.max(2, availableParallelism()), // many tests wait for processes and sockets: no core is kept back
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
