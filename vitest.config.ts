import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const conditions = ["@editwire/source"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    projects: [
      // The packages' tests keep to themselves: one module graph for many files saves a third of their time.
      { extends: true, test: { name: "packages", include: ["packages/*/test/**/*.test.ts"], isolate: false } },
      { extends: true, test: { name: "programs", include: ["examples/*/test/**/*.test.ts", "{conformance,bench}/test/**/*.test.ts"] } },
    ],
    maxWorkers: Math.max(2, availableParallelism()), // many tests wait for processes and sockets: no core is kept back
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
