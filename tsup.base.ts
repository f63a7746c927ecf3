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
