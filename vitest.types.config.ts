import { defineConfig } from "vitest/config";

const conditions = ["@editwire/source"];

/**
 * The tests of types: the compiler reads them with everything else, an error of which fails the run too, and nothing
 * runs.
 */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [],
    typecheck: { only: true, include: ["packages/*/test/**/*.test-d.ts"], tsconfig: "./tsconfig.json" },
  },
});
