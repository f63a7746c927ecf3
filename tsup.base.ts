import { defineConfig, type Options } from "tsup";

/** The one build recipe: ESM and CJS with declarations, runtime-neutral, not minified. */
export function recipe(entry: Record<string, string>, extra: Options = {}): ReturnType<typeof defineConfig> {
  return defineConfig({
    entry,
    format: ["esm", "cjs"],
    dts: process.env["EDITWIRE_NO_DTS"] ? false : true,
    clean: true,
    sourcemap: true,
    treeshake: true,
    target: "es2022",
    platform: "neutral",
    external: [/^node:/],
    silent: true,
    ...extra,
  });
}
