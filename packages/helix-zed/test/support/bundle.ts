import { mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll } from "vitest";

/** Bundles a program of `test/fixtures`, so that it starts in milliseconds. It lies where it finds the packages that stay outside. */
export async function bundle(name: string): Promise<string> {
  const cache = fileURLToPath(new URL("../../node_modules/.cache/", import.meta.url));
  mkdirSync(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "test-"));
  afterAll(() => rm(folder, { recursive: true }));
  const outfile = join(folder, name.replace(/\.ts$/, ".mjs"));
  await build({
    entryPoints: [fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@editwire/source"],
    external: ["ws", "libsql"],
  });
  return outfile;
}
