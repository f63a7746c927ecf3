import { basename, relative } from "node:path";
import { packageRoot } from "../core/registry/package-root.js";

/**
 * The command that starts this program again: `npx` for a package that is installed, and otherwise the program itself,
 * as in a clone of the repository. In npx's own cache, only the package's name leads to the program.
 */
export function selfCommand(): string {
  const folders = packageRoot().split(/[\\/]/);
  if (folders.includes("_npx")) return "npx @editwire/conformance";
  if (folders.includes("node_modules")) return "npx editwire-conformance";
  const [program = "", script = ""] = process.argv;
  return [basename(program), ...process.execArgv, relative(process.cwd(), script)].map(quoted).join(" ");
}

/** A word as a shell reads it. */
export function quoted(word: string): string {
  return /[^\w@%+=:,./-]/.test(word) ? `'${word.replaceAll("'", String.raw`'\''`)}'` : word;
}
