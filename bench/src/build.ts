import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The measured programs, as plain JavaScript in a folder of its own. */
export interface Programs {
  readonly folder: string;
  readonly measured: string;
  remove(): Promise<void>;
}

/** The folder of this package. */
export const benchFolder = fileURLToPath(new URL("..", import.meta.url));

/**
 * Bundles the programs that run as child processes. Each contender is a separate chunk, loaded only where it is
 * measured.
 */
export async function buildPrograms(): Promise<Programs> {
  const folder = await mkdtemp(join(tmpdir(), "editwire-bench-"));
  await build({
    absWorkingDir: benchFolder,
    entryPoints: {
      measured: "src/programs/measured.ts",
      "far-end": "src/programs/far-end.ts",
      gateway: "src/programs/gateway.ts",
    },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@editwire/source"],
    define: { "process.env.NODE_ENV": '"production"' },
    // CommonJS dependencies ask for Node's modules by `require`.
    banner: {
      js: 'import { createRequire as benchRequire } from "node:module"; const require = benchRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
  return { folder, measured: join(folder, "measured.mjs"), remove: () => rm(folder, { recursive: true, force: true }) };
}
