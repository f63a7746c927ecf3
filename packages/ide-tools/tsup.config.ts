import { recipe } from "../../tsup.base.js";

const entry = {
  index: "src/index.ts",
  bin: "src/bin.ts",
  mcp: "src/mcp.ts",
  prettier: "src/prettier.ts",
  "call-chain/index-worker": "src/call-chain/index-worker.ts",
  "jobs/job-worker": "src/jobs/job-worker.ts",
};

/** `shims`: the package finds its workers and ripgrep by `import.meta.url`, also in CJS. */
export default recipe(entry, { platform: "node", shims: true });
