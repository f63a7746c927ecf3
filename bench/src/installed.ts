import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { benchFolder } from "./build.js";

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly "@editwire/source": string }>>;
}

const laidOut = new Map<string, Promise<void>>();

/** The URL of an entry point such as `editwire/acp/node`, in a copy of the packages as npm would install them. */
export async function urlOf(entry: string, folder: string): Promise<string> {
  let ready = laidOut.get(folder);
  if (ready === undefined) laidOut.set(folder, (ready = layOut(folder)));
  await ready;
  const [, name = "", ...rest] = entry.split("/");
  return pathToFileURL(
    join(folder, "node_modules/@editwire", name, fileOf(rest.length === 0 ? "." : `./${rest.join("/")}`)),
  ).href;
}

/**
 * Builds the ACP binding and every package below it, one at a time, into `node_modules`, with links to their
 * dependencies.
 */
async function layOut(folder: string): Promise<void> {
  const packages = new Set(["acp"]); // it grows while it is walked
  for (const name of packages) {
    const source = join(benchFolder, "../packages", name);
    const target = join(folder, "node_modules/@editwire", name);
    const manifest = JSON.parse(await readFile(join(source, "package.json"), "utf8")) as Manifest;
    const entries = Object.entries(manifest.exports).flatMap(([subpath, to]) =>
      typeof to === "string" ? [] : [{ subpath, from: to["@editwire/source"] }],
    );
    await build({
      absWorkingDir: source,
      entryPoints: Object.fromEntries(
        entries.map(({ subpath, from }) => [fileOf(subpath).slice(0, -".js".length), from]),
      ),
      outdir: target,
      bundle: true,
      splitting: true,
      packages: "external",
      format: "esm",
      target: "es2022",
      platform: "neutral",
      logLevel: "warning",
    });
    const exports = Object.fromEntries(entries.map(({ subpath }) => [subpath, `./${fileOf(subpath)}`]));
    await writeFile(join(target, "package.json"), JSON.stringify({ name: manifest.name, type: "module", exports }));
    for (const dependency of Object.keys(manifest.dependencies ?? {})) {
      if (dependency.startsWith("@editwire/")) packages.add(dependency.slice("@editwire/".length));
      else await link(join(source, "node_modules", dependency), join(folder, "node_modules", dependency));
    }
  }
}

function fileOf(subpath: string): string {
  return `${subpath === "." ? "index" : subpath.slice(2)}.js`;
}

async function link(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await symlink(from, to, "junction").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}
