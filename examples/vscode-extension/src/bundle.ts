import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Writes the extension as the one CommonJS file that VS Code loads. */
export async function bundle(outfile: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL("extension.ts", import.meta.url))],
    outfile,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    external: ["vscode"],
    conditions: ["@editwire/source"],
    logLevel: "warning",
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await bundle(fileURLToPath(new URL("../dist/extension.cjs", import.meta.url)));
