import { existsSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

/**
 * The worker of ide-tools that searches, lists and works on large files, to be bundled beside a program that uses the
 * package: the program starts it from there.
 */
export const toolWorker = {
  "jobs/job-worker": new URL("../../packages/ide-tools/src/jobs/job-worker.ts", import.meta.url).href,
};

/**
 * Bundles TypeScript programs that a test starts as processes, so that each start takes milliseconds instead of more
 * than a second. Gives their paths, in a cache of the package of `from`, the `import.meta.url` of who asks. To be
 * awaited at the top of a file.
 */
export async function bundle<Name extends string>(
  from: string,
  programs: Readonly<Record<Name, string>>,
  { external = [], plugins = [] }: { external?: string[]; plugins?: Plugin[] } = {},
): Promise<Record<Name, string>> {
  const asking = fileURLToPath(from);
  const home = packageOf(asking);
  // Here the bundles find the packages that are not part of them.
  const folder = join(home, "node_modules/.cache/programs", relative(home, asking));
  await mkdir(folder, { recursive: true });
  const entries = Object.entries<string>(programs);
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries(entries.map(([name, file]) => [name, fileURLToPath(new URL(file, from))])),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    write: false,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@editwire/source"],
    external,
    plugins,
    logLevel: "error",
    // CommonJS packages among the bundled ones ask for Node's modules.
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
    },
  });
  for (const { path, contents } of outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    // Whole at once: another run may start the same program at this moment.
    await writeFile(`${path}.${process.pid}`, contents);
    await rename(`${path}.${process.pid}`, path);
  }
  return Object.fromEntries(entries.map(([name]) => [name, join(folder, `${name}.mjs`)])) as Record<Name, string>;
}

function packageOf(file: string): string {
  let folder = dirname(file);
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}
