import { join } from "node:path";
import { build } from "esbuild";
import { benchFolder } from "./build.js";

const ideTools = join(benchFolder, "../packages/ide-tools");
let built: Promise<string> | undefined;

/**
 * Bundles the program that measures the tools of an IDE, with their workers, into a cache of `ide-tools`: there it
 * finds ripgrep and the grammars, as it does when it is installed. Gives its path.
 */
export function buildToolsProgram(): Promise<string> {
  return (built ??= bundle());
}

async function bundle(): Promise<string> {
  const outdir = join(ideTools, "node_modules/.cache/bench");
  await build({
    absWorkingDir: benchFolder,
    entryPoints: {
      "ide-tools": "src/programs/ide-tools.ts",
      "call-chain/index-worker": join(ideTools, "src/call-chain/index-worker.ts"),
      "jobs/job-worker": join(ideTools, "src/jobs/job-worker.ts"),
    },
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@editwire/source"],
    external: ["web-tree-sitter"],
    banner: {
      js: 'import { createRequire as benchRequire } from "node:module"; const require = benchRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
  return join(outdir, "ide-tools.mjs");
}
