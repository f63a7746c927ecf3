import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const fixtures = fileURLToPath(new URL("fixtures/clients/", import.meta.url));

/** Bundles fixtures, since a client is started many times. `close` takes the bundles away. */
export async function bundleClients(...names: readonly string[]): Promise<{ argv(name: string): string[]; close(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "conformance-clients-"));
  await build({
    entryPoints: names.map((name) => join(fixtures, `${name}.ts`)),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@editwire/source"],
    logLevel: "error",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return {
    argv: (name) => [process.execPath, join(folder, `${name}.mjs`)],
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
