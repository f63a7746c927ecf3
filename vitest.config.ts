import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const conditions = ["@editwire/source"];

/** The agent that the test in the README of `conformance` judges: the reference. */
const agent = "node --import tsx --conditions=@editwire/source conformance/src/bin.ts reference acp --role agent";

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["{packages,examples}/*/test/**/*.test.ts", "{conformance,bench}/test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/*.slow.test.ts"], // those run by themselves: `npm run test:slow`
    isolate: false, // tests keep to themselves: one module graph for many files saves a third of their time
    maxWorkers: availableParallelism() + 1, // many tests wait for processes and sockets: two cores need three workers
    env: { AGENT_COMMAND: agent },
    // These end what hangs. A slow machine is no reason to fail, so they are many times what anything takes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
