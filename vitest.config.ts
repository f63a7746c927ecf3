import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const conditions = ["@editwire/source"];

/** The agent that the test in the README of `conformance` judges: the reference. */
const agent = "node --import tsx --conditions=@editwire/source conformance/src/bin.ts reference acp --role agent";

/**
 * Puts `*.slow.test.ts` first. Without measured times, as in a fresh clone, Vitest orders files by size; a short file
 * that takes long would then run alone at the end.
 */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification): boolean => moduleId.endsWith(".slow.test.ts");
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["{packages,examples}/*/test/**/*.test.ts", "{conformance,bench}/test/**/*.test.ts"],
    isolate: false, // tests keep to themselves: one module graph for many files saves a third of their time
    sequence: { sequencer: SlowFirst },
    maxWorkers: availableParallelism() + 1, // many tests wait for processes and sockets: two cores need three workers
    env: { AGENT_COMMAND: agent },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
