import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const conditions = ["@editwire/source"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["{packages,examples}/*/test/**/*.test.ts", "{conformance,bench}/test/**/*.test.ts"],
    maxWorkers: Math.max(2, availableParallelism()), // many tests wait for processes and sockets: no core is kept back
    testTimeout: 60_000,
    hookTimeout: 60_000,
    typecheck: { include: ["packages/*/test/**/*.test-d.ts"], tsconfig: "./tsconfig.json", ignoreSourceErrors: true },
  },
});
