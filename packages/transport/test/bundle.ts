import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll } from "vitest";

/** Bundles programs, given below `test/`, into a temporary folder, so that each starts in milliseconds. Gives their paths. */
export async function bundleFiles<Name extends string>(files: Record<Name, string>): Promise<Record<Name, string>> {
  const folder = await mkdtemp(join(tmpdir(), "editwire-"));
  afterAll(() => rm(folder, { recursive: true }));
  const names = Object.keys(files) as Name[];
  await build({
    entryPoints: Object.fromEntries(names.map((name) => [name, fileURLToPath(new URL(files[name], import.meta.url))])),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@editwire/source"],
  });
  return Object.fromEntries(names.map((name) => [name, join(folder, `${name}.mjs`)])) as Record<Name, string>;
}
