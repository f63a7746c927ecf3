import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The commands of the client and of the fixture agent, each bundled into one file: they start in a fraction of the time. */
export interface Programs {
  readonly client: readonly string[];
  readonly agent: readonly string[];
  remove(): Promise<void>;
}

/** Bundles them from source. */
export async function buildPrograms(): Promise<Programs> {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const outdir = await mkdtemp(join(tmpdir(), "terminal-client-test-"));
  await build({
    entryPoints: { client: join(root, "src/main.ts"), agent: join(root, "test/fixtures/agent.ts") },
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@editwire/source"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return {
    client: [process.execPath, join(outdir, "client.mjs")],
    agent: [process.execPath, join(outdir, "agent.mjs")],
    remove: () => rm(outdir, { recursive: true }),
  };
}
