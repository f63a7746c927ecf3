import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import config from "./vitest.config.js";

/** Starts the longest file first, so that it does not run alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification): boolean => moduleId.endsWith("/hub.slow.test.ts");
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => Number(isLongest(b)) - Number(isLongest(a)));
  }
}

/** The tests that take long: real editors and browsers, other systems, processes that are killed many times. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ["{packages,examples}/*/test/**/*.slow.test.ts", "{conformance,bench}/test/**/*.slow.test.ts"],
    exclude: ["**/node_modules/**"],
    sequence: { sequencer: LongestFirst },
    maxConcurrency: 2, // of the tests of one file that may run at once
  },
});
