import { existsSync, rmSync } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * Bundles TypeScript programs that a test starts as processes, so that each start takes milliseconds instead of more than a second.
 * Gives their paths. To be awaited at the top of a test file, whose `import.meta.url` is `from`; the bundles go with the process.
 */
export async function bundle<Name extends string>(
  from: string,
  programs: Readonly<Record<Name, string>>,
  { external = [] }: { external?: string[] } = {},
): Promise<Record<Name, string>> {
  const cache = join(packageOf(fileURLToPath(from)), "node_modules/.cache"); // where the bundles find what stays outside
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "test-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const entries = Object.entries<string>(programs);
  await build({
    entryPoints: Object.fromEntries(entries.map(([name, file]) => [name, fileURLToPath(new URL(file, from))])),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@editwire/source"],
    external,
    logLevel: "error",
    // CommonJS packages among the bundled ones ask for Node's modules.
    banner: { js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);' },
  });
  return Object.fromEntries(entries.map(([name]) => [name, join(folder, `${name}.mjs`)])) as Record<Name, string>;
}

function packageOf(file: string): string {
  let folder = dirname(file);
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}
