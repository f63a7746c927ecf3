import { readdirSync } from "node:fs";
import { defineConfig, type Options } from "tsup";

/** The one build recipe: ESM and CJS, runtime-neutral, not minified. Declarations come from scripts/build-types.mjs. */
export function recipe(entry: Record<string, string>, extra: Options = {}): ReturnType<typeof defineConfig> {
  return defineConfig({
    entry,
    format: ["esm", "cjs"],
    clean: true,
    sourcemap: true,
    splitting: true, // also in CJS: entry points of one package share their state
    treeshake: true, // by rollup, whose CJS keeps `?.` and `??` as they are
    target: "es2022",
    platform: "neutral",
    external: [/^node:/],
    silent: true,
    ...extra,
  });
}

/**
 * Every source file of a package as an entry, so that what it builds has the files of `src`. A bundler can then leave
 * out the files that an import does not need; one big file with schemas it must keep whole.
 */
export function everyFile(): Record<string, string> {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  return Object.fromEntries(files.map((file) => [file.slice(0, -".ts".length).replaceAll("\\", "/"), `src/${file}`]));
}
