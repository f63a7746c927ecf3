import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const name = "@editwire/conformance";

/** The folder of this package, for its sources and for its build. It holds the specs, registries and vectors. */
export function packageRoot(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest) && (JSON.parse(readFileSync(manifest, "utf8")) as { name?: string }).name === name)
      return folder;
    if (dirname(folder) === folder) throw new Error(`cannot find the folder of ${name}`);
  }
}

/** The name and the version of this package. */
export function suiteInfo(): { readonly name: string; readonly version: string } {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")) as { version: string };
  return { name, version };
}
