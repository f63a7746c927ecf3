import { defineConfig } from "vitest/config";

const conditions = ["@editwire/source"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["{packages,examples}/*/test/**/*.test.ts", "{conformance,bench}/test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    typecheck: { include: ["packages/*/test/**/*.test-d.ts"], tsconfig: "./tsconfig.json", ignoreSourceErrors: true },
  },
});
