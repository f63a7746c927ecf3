// House rule about the width of lines in Markdown: prose is wrapped like code. Tables and code blocks are not prose.
import { readFileSync } from "node:fs";
import { fromRoot } from "./workspace.mjs";

const columns = 120;

/** The lines of prose in a file that are wider than 120 columns. */
export function proseFindings(file) {
  let fenced = false;
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line, index) => {
      if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
      const width = [...line].length;
      if (fenced || width <= columns || line.startsWith("|")) return [];
      return [`${fromRoot(file)}:${index + 1}: ${width} columns, over ${columns}; wrap it`];
    });
}
