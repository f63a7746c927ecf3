// House rule about the width of lines, for what the formatter cannot break: comments, strings and other languages.
import { readFileSync } from "node:fs";
import { fromRoot } from "./workspace.mjs";

const columns = 120;

/** The lines of a file that are wider than 120 columns. Recorded data may be wider. */
export function columnFindings(file) {
  const path = fromRoot(file);
  if (path.includes("/fixtures/")) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line, index) =>
      [...line].length > columns ? [`${path}:${index + 1}: ${[...line].length} columns, over ${columns}; wrap it`] : [],
    );
}
