import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const cache = fileURLToPath(new URL("../../.cache/runtimes/", import.meta.url));
const inCache = (name: string): string => join(cache, "node_modules/.bin", name);

/** The command that runs a program in another runtime than Node. */
export type Runtimes = Readonly<Record<"bun" | "deno", readonly string[] | undefined>>;

/** Where Bun and Deno are. When they are not installed, one line on stderr names the tests that are skipped. */
export function findRuntimes(tests: string): Runtimes {
  if (existsSync(join(cache, "installed")))
    return { bun: [inCache("bun")], deno: [inCache("deno"), "run", "--allow-all"] };
  process.stderr.write(`skipping ${tests}: no Bun and no Deno; scripts/ensure-runtimes.sh installs them\n`);
  return { bun: undefined, deno: undefined };
}
