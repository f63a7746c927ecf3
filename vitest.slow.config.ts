import { defineConfig } from "vitest/config";
import config from "./vitest.config.js";

/** The tests that take long: real editors and browsers, other systems, processes that are killed many times. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ["{packages,examples}/*/test/**/*.slow.test.ts", "{conformance,bench}/test/**/*.slow.test.ts"],
    exclude: ["**/node_modules/**"],
  },
});
