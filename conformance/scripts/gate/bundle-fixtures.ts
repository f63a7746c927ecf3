import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const fixtures = fileURLToPath(new URL("../../test/fixtures/", import.meta.url));

/** Bundles programs, such as `clients/editwire` of `test/fixtures`, since a target is started many times. `close` takes the bundles away. */
export async function bundleFixtures(...names: readonly string[]): Promise<{ argv(name: string): string[]; close(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "conformance-targets-"));
  await build({
    entryPoints: names.map((name) => ({ in: join(fixtures, `${name}.ts`), out: flat(name) })),
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
    argv: (name) => [process.execPath, join(folder, `${flat(name)}.mjs`)],
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function flat(name: string): string {
  return name.replaceAll("../", "").replaceAll("/", "-");
}
