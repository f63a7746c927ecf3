// Ways to node:readline that oxlint's no-restricted-imports does not see.
import { readFileSync } from "node:fs";
import { fromRoot } from "./workspace.mjs";

/** Calls that load it, also in the programs that tests write as texts, and the imports of such programs. */
const loaders = [
  /\b(?:require|import|getBuiltinModule)\(\s*\\?["'`](?:node:)?readline/,
  /["'`].*\bfrom \\?["'](?:node:)?readline/,
];

/** The findings in one file. */
export function readlineFindings(file) {
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line, index) =>
      loaders.some((loader) => loader.test(line))
        ? [`${fromRoot(file)}:${index + 1}: loads readline, which ends lines at U+2028, too; split at line feeds`]
        : [],
    );
}
