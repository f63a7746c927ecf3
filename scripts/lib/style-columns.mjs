// House rule about the width of lines, for what the formatter cannot break: comments and strings.
import { readFileSync } from "node:fs";
import { fromRoot } from "./workspace.mjs";

const columns = 120;
/** A line that is one literal, such as a regular expression or a frame, with what stands around it. */
const literal = /^\s*(?:return |: |\+ )?(["'`/]).*\1[dgimsuvy]*(?:\)*[,;]?| \+| =>)?$/;

/** The lines of a file that are wider than 120 columns. Recorded data and lines that are one literal may be wider. */
export function columnFindings(file) {
  const path = fromRoot(file);
  if (path.includes("/fixtures/")) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line, index) =>
      [...line].length > columns && !literal.test(line)
        ? [`${path}:${index + 1}: ${[...line].length} columns, over ${columns}; wrap it`]
        : [],
    );
}
